/** Words that describe works; the kinds of the documents first. */
export const PUBLICATION_KINDS = [
  { value: 'journal_article', label: ['Journal article', 'بحث في دورية'] },
  { value: 'conference_paper', label: ['Conference paper', 'بحث في مؤتمر'] },
  { value: 'conference_poster', label: ['Conference poster', 'ملصق في مؤتمر'] },
  { value: 'book', label: ['Book', 'كتاب'] },
  { value: 'book_chapter', label: ['Book chapter', 'فصل في كتاب'] },
  { value: 'thesis', label: ['Thesis', 'رسالة علمية'] },
  { value: 'report', label: ['Report', 'تقرير'] },
  { value: 'dataset', label: ['Data set', 'مجموعة بيانات'] },
  { value: 'other', label: ['Other work', 'عمل آخر'] },
] as const
export type PublicationKind = (typeof PUBLICATION_KINDS)[number]['value']

export const PUBLICATION_LANGUAGES = [
  { value: 'en', label: ['English', 'الإنجليزية'] },
  { value: 'ar', label: ['Arabic', 'العربية'] },
  { value: 'other', label: ['Another language', 'لغة أخرى'] },
] as const
export type PublicationLanguage = (typeof PUBLICATION_LANGUAGES)[number]['value']

export const PUBLICATION_ORIGINS = [
  { value: 'typed', label: ['Typed in', 'أُدخل يدويًا'] },
  { value: 'crossref', label: ['Crossref', 'Crossref'] },
  { value: 'orcid', label: ['ORCID', 'ORCID'] },
  { value: 'openalex', label: ['OpenAlex', 'OpenAlex'] },
  { value: 'bibtex', label: ['BibTeX file', 'ملف BibTeX'] },
  { value: 'ris', label: ['RIS file', 'ملف RIS'] },
  { value: 'csl', label: ['CSL-JSON file', 'ملف CSL-JSON'] },
] as const
export type PublicationOrigin = (typeof PUBLICATION_ORIGINS)[number]['value']

export const MEMBER_ROLES = [
  { value: 'author', label: ['Author', 'مؤلف'] },
  { value: 'editor', label: ['Editor', 'محرر'] },
  { value: 'translator', label: ['Translator', 'مترجم'] },
] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]['value']

export const FILE_STAGES = [
  { value: 'submitted', label: ['As submitted', 'النسخة المقدمة'] },
  { value: 'accepted', label: ['As accepted', 'النسخة المقبولة'] },
  { value: 'published', label: ['As published', 'النسخة المنشورة'] },
] as const
export const LICENCES = [
  { value: 'cc_by', label: ['CC BY', 'CC BY'] },
  { value: 'cc_by_sa', label: ['CC BY-SA', 'CC BY-SA'] },
  { value: 'cc_by_nc', label: ['CC BY-NC', 'CC BY-NC'] },
  { value: 'cc_by_nc_nd', label: ['CC BY-NC-ND', 'CC BY-NC-ND'] },
  { value: 'cc0', label: ['CC0', 'CC0'] },
  { value: 'reserved', label: ['All rights reserved', 'جميع الحقوق محفوظة'] },
] as const
export const FILE_READERS = [
  { value: 'everybody', label: ['Everybody', 'الجميع'] },
  { value: 'university', label: ['Members of the university', 'منسوبو الجامعة'] },
  { value: 'members', label: ['Its members only', 'أعضاء العمل فقط'] },
] as const
/** Authors of one work at most: great collaborations have thousands. */
export const MOST_WORK_MEMBERS = 5000
