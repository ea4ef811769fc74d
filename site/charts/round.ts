/** A length in a drawing, to a tenth of a pixel. */
export const round = (value: number): number => Math.round(value * 10) / 10;
