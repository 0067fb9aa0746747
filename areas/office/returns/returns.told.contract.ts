import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

const FINDING_WORDS = [
  { value: 'broken', label: ['Cannot be read', 'تعذرت قراءته'] },
  { value: 'measure', label: ['Unknown figure', 'رقم غير معروف'] },
  { value: 'filter', label: ['Unknown filter', 'تصفية غير معروفة'] },
  { value: 'code', label: ['Unknown code', 'كود غير معروف'] },
  { value: 'empty', label: ['Without a figure', 'بدون رقم'] },
  { value: 'sum', label: ['Sum does not match', 'المجموع غير مطابق'] },
  { value: 'change', label: ['Changed much', 'تغيّر كبير'] },
] as const

/** What the log of changes says of its tables. */
export const returnsTold: TablesTold = {
  return_template_editions: {
    one: ['Edition of a template', 'إصدار نموذج'],
    many: ['Editions of templates', 'إصدارات النماذج'],
    fields: { number: f.integer(['Edition of the sheet', 'إصدار الملف']) },
    untold: ['cells'],
  },
  return_findings: {
    one: ['Finding in a return', 'ملاحظة على إحصاء'],
    many: ['ReturnFindings in returns', 'ملاحظات على الإحصاءات'],
    fields: {
      kind: f.choice(['Kind', 'النوع'], FINDING_WORDS),
      sheet: f.text(['Sheet', 'الورقة']),
      cell: f.text(['Cell', 'الخلية']),
      accepted_by: f.lookup(['Accepted by', 'قبلها'], 'user'),
      accepted_at: f.instant(['Accepted', 'قُبلت']),
    },
    untold: ['data'],
  },
}
