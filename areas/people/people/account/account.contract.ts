/** How far somebody is on the way to working with the program: what is to be done next follows from it. */
export const ACCOUNT_STATES = [
  { value: 'not_invited', label: ['Not invited', 'لم يُدعَ بعد'], tone: 'draft' },
  { value: 'invited', label: ['Invited', 'أُرسلت الدعوة'], tone: 'waiting' },
  { value: 'not_signed_in', label: ['Ready', 'جاهز'], tone: 'waiting' },
  { value: 'in_use', label: ['Active', 'نشط'], tone: 'done' },
  { value: 'account_blocked', label: ['Blocked', 'موقوف'], tone: 'frozen' },
] as const
export type AccountState = (typeof ACCOUNT_STATES)[number]['value']
