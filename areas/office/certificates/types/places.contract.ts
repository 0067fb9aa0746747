/** What the texts of certificates may name: of students, and of who works here. Data only. */
import { CERTIFICATE_PLACES, type CertificatePlace } from '#areas/common/settings/university/kinds.contract.ts'
import type { Label } from '#kit/contract/words.ts'

/** What is known of who works here. */
export const STAFF_PLACES = [
  'name',
  'code',
  'job_title',
  'faculty',
  'department',
  'works_since',
  'contract',
  'contract_until',
] as const
export type StaffPlace = (typeof STAFF_PLACES)[number]
export type TextPlace = CertificatePlace | StaffPlace
/** All of them: which of them a type may name, `checkCertificateSetting` says. */
export const TEXT_PLACES: readonly TextPlace[] = [...new Set<TextPlace>([...CERTIFICATE_PLACES, ...STAFF_PLACES])]

/** What the places of a text are called: they are filled from the record of a person. */
export const TEXT_PLACE_NAMES: Readonly<Record<TextPlace, Label>> = {
  name: ['Name', 'الاسم'],
  former_name: ['Former name', 'الاسم السابق'],
  code: ['Code', 'الكود'],
  national_id: ['National ID', 'الرقم القومي'],
  nationality: ['Nationality', 'الجنسية'],
  faculty: ['Faculty', 'الكلية'],
  program: ['Program', 'البرنامج'],
  level: ['Level', 'المستوى'],
  year: ['Year', 'العام الجامعي'],
  degree: ['Degree', 'الدرجة العلمية'],
  gpa: ['Cumulative GPA', 'المعدل التراكمي'],
  classification: ['Classification', 'التقدير العام'],
  graduation_term: ['Term of graduation', 'فصل التخرج'],
  job_title: ['Job title', 'المسمى الوظيفي'],
  department: ['Department', 'القسم'],
  works_since: ['Works here since', 'تاريخ الالتحاق بالعمل'],
  contract: ['Kind of contract', 'نوع العقد'],
  contract_until: ['Contract until', 'العقد حتى'],
}
