import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const returnsTold: TablesTold = {
  return_template_editions: {
    one: ['Edition of a template', 'إصدار نموذج'],
    many: ['Editions of templates', 'إصدارات النماذج'],
    fields: { number: f.integer(['Edition of the sheet', 'إصدار الملف']) },
    untold: ['cells'],
  },
  statistical_returns: {
    one: ['Statistical return', 'إحصاء رسمي'],
    many: ['Statistical returns', 'الإحصاءات الرسمية'],
    fields: { filled_by: f.lookup(['Filled by', 'استوفاه'], 'user') },
    untold: ['edition_id', 'figures'],
  },
  return_findings: {
    one: ['Finding in a return', 'ملاحظة على إحصاء'],
    many: ['Findings in returns', 'ملاحظات على الإحصاءات'],
    fields: {
      kind: f.text(['Kind', 'النوع']),
      sheet: f.text(['Sheet', 'الورقة']),
      cell: f.text(['Cell', 'الخلية']),
      accepted_by: f.lookup(['Accepted by', 'قبلها'], 'user'),
      accepted_at: f.instant(['Accepted', 'قُبلت']),
    },
    untold: ['data'],
  },
}
