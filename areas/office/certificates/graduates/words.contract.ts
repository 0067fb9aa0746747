/** Choices of requests without an account. Data only. */
export const GRADUATE_IDENTITIES = [
  { value: 'code', label: ['Student code', 'كود الطالب'] },
  { value: 'national_id', label: ['National ID', 'الرقم القومي'] },
  { value: 'passport', label: ['Passport number', 'رقم جواز السفر'] },
] as const
export const GRADUATE_STATES = [
  { value: 'to_check', label: ['Identity to be checked', 'قيد التحقق'], tone: 'waiting' },
  { value: 'identified', label: ['Identity confirmed', 'تم التحقق من الهوية'], tone: 'done' },
  { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused' },
  { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
] as const
