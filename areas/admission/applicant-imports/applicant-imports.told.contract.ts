import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { APPLICANT_TYPES } from '#areas/admission/admissions/words.contract.ts'
import { IMPORT_STAGES } from './import.contract.ts'

/** What the log of changes says of its tables. */
export const applicantImportsTold: TablesTold = {
  applicant_imports: {
    one: ['Import of applicants', 'عملية استيراد متقدمين'],
    many: ['Imports of applicants', 'عمليات استيراد متقدمين'],
    fields: {
      file_name: f.text(['File', 'الملف']),
      stage: f.choice(['Where it stands', 'المرحلة'], IMPORT_STAGES),
      saved_at: f.instant(['Saved on', 'تاريخ الحفظ']),
    },
  },
  applicant_mappings: {
    one: ['Mapping of columns', 'تحديد أعمدة'],
    many: ['Mappings of columns', 'تحديدات أعمدة'],
    fields: {
      name: f.text(['Name', 'الاسم']),
      applicant_type: f.choice(['For', 'نوع القبول'], APPLICANT_TYPES),
      columns: f.longText(['Columns by field', 'الأعمدة حسب الحقل']),
    },
  },
}
