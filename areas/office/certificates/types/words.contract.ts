/** Choices of certificates: apart, so that pages for people without an account bring nothing else along. Data only. */
export const SPEEDS = [
  { value: 'normal', label: ['Normal', 'عادي'] },
  { value: 'urgent', label: ['Urgent', 'عاجل'] },
] as const
export const DELIVERIES = [
  { value: 'by_hand', label: ['Collected by hand', 'تسليم باليد'] },
  { value: 'by_mail', label: ['By post', 'بالبريد'] },
  { value: 'electronic', label: ['Electronic file', 'ملف إلكتروني'] },
] as const
export const LANGUAGES = [
  { value: 'ar', label: ['Arabic', 'العربية'] },
  { value: 'en', label: ['English', 'الإنجليزية'] },
  { value: 'both', label: ['Arabic and English', 'العربية والإنجليزية'] },
] as const
