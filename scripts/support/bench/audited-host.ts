/** The address of the nth site that is audited: the site process answers on every address of this machine. */
export const auditedHost = (number: number): string => `127.1.${Math.floor(number / 250)}.${(number % 250) + 1}`;
