import { demoLookup } from '#demo/part.ts'
import { certificateSubject } from './certificate-subject.contract.ts'

export default demoLookup(certificateSubject, [
  ['ARAB', 'Arabic', 'اللغة العربية'],
  ['ENG', 'English', 'اللغة الإنجليزية'],
  ['MATH', 'Mathematics', 'الرياضيات'],
  ['PHYS', 'Physics', 'الفيزياء'],
  ['CHEM', 'Chemistry', 'الكيمياء'],
  ['BIO', 'Biology', 'الأحياء'],
  ['HIST', 'History', 'التاريخ'],
  ['GEO', 'Geography', 'الجغرافيا'],
  ['STAT', 'Statistics', 'الإحصاء'],
  ['REL', 'Religious sciences', 'العلوم الشرعية'],
])
