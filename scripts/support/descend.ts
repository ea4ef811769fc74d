/** Steps along gradients, each weight with a step size of its own (RMSProp). The same input gives the same weights. */
export function descend(
  size: number,
  rounds: number,
  rate: number,
  decay: number,
  slopes: (weights: Float64Array) => Float64Array,
): Float64Array {
  const weights = new Float64Array(size);
  const cache = new Float64Array(size);
  for (let round = 0; round < rounds; round++) {
    const gradient = slopes(weights);
    for (let index = 0; index < size; index++) {
      const slope = (gradient[index] ?? 0) - decay * (weights[index] ?? 0);
      cache[index] = (cache[index] ?? 0) * 0.98 + slope * slope;
      weights[index] = (weights[index] ?? 0) + (rate * slope) / (Math.sqrt(cache[index] ?? 0) + 1e-4);
    }
  }
  return weights;
}
