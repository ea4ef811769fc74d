/** What is free of the audit and of the directory, for one client network. */
export const freeOfCharge = {
  audits: { limit: 3, windowSeconds: 3600 },
  joins: { limit: 3, windowSeconds: 3600 },
} as const;

/** What has a price, in dollars that nobody pays: the payment is a demonstration. */
export const prices = {
  audit: {
    tool: 'audit_site',
    method: 'POST',
    path: '/api/audit',
    form: '/audit',
    amountUsd: '0.005',
    unit: 'one audit',
    isReusable: false,
    free: `${freeOfCharge.audits.limit} per hour and client network`,
    description: 'One audit beyond the free ones. A demonstration: no money moves.',
    mimeType: 'application/json',
  },
  playbook: {
    tool: 'get_premium_playbook',
    method: 'GET',
    path: '/api/premium/playbook',
    form: '/playbook',
    amountUsd: '0.10',
    unit: 'ten minutes with all chapters',
    isReusable: true,
    free: 'one chapter, linked from the page /playbook',
    description: 'The premium playbook. A demonstration: no money moves.',
    mimeType: 'application/json',
  },
} as const;

/** What a thing costs and how it is paid for, in a sentence. */
export const pricing = {
  audit: `${freeOfCharge.audits.limit} free per hour, then ${prices.audit.amountUsd} USD (demo) each, through the 402 flow with POST /api/pay and the header X-Payment`,
  playbook: `${prices.playbook.amountUsd} USD (demo), paid through the 402 flow with POST /api/pay and the header X-Payment`,
} as const;

/** What can be paid for. */
export type Priced = keyof typeof prices;
