/** An address as people type it: without a scheme, https is meant. */
export const completeAddress = (typed: string): string => {
  const text = typed.trim();
  return text === '' || text.includes('://') ? text : `https://${text}`;
};
