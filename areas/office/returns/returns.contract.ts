import { area } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { returnCalls, returnFlow, returnSteps, statisticalReturn } from './filed/return.contract.ts'
import { returnTemplate, templateCalls } from './templates/template.contract.ts'

/** Statistical returns: a ministry's sheets, filled with the figures of the university, checked, sent and kept. */
export const returnsArea = area({
  name: 'returns',
  label: ['Statistical returns', 'الإحصاءات الرسمية'],
  resources: [returnTemplate, statisticalReturn],
  calls: [templateCalls, returnCalls, listedCalls(returnFlow, returnSteps)],
  // Some are named like the constraints and triggers of the tables that guard them.
  errors: {
    return_twice: [
      'There is a return of this template for this year or term already. What was sent is corrected, not sent twice.',
      'يوجد إحصاء من هذا النموذج لهذا العام أو الفصل بالفعل. ما أُرسل يُصحَّح ولا يُرسل مرتين.',
    ],
    return_corrected_once: ['It is being corrected already.', 'يجري تصحيحه بالفعل.'],
    return_without_sheet: ['Upload a sheet to this template first.', 'ارفع ملفًا لهذا النموذج أولًا.'],
    return_term_of_year: ['The term is not of this year.', 'الفصل الدراسي ليس من هذا العام.'],
    return_sent: [
      'It is checked or sent: its figures and findings stay as they are.',
      'تمت مراجعته أو إرساله، وتبقى أرقامه وملاحظاته كما هي.',
    ],
    return_changed: [
      'Somebody else has changed this return meanwhile. Look at it again.',
      'عدّل شخص آخر هذا الإحصاء في هذه الأثناء. راجعه مرة أخرى.',
    ],
    return_not_filled: ['Fill it first.', 'استوفِه أولًا.'],
    return_findings_open: [
      'ReturnFindings that nobody has mended or accepted: {count}.',
      'ملاحظات لم تُصحَّح ولم تُقبل: {count}.',
    ],
    return_finding_mend: [
      'This cell has no figure: say in the template what it asks for.',
      'ليس لهذه الخلية رقم. حدد في النموذج ما تطلبه.',
    ],
    return_template_changed: [
      'The template has another edition meanwhile. Look at it again.',
      'صدر إصدار آخر من النموذج في هذه الأثناء. راجعه مرة أخرى.',
    ],
    return_cell_missing: ['There is no cell {cell} in the sheet.', 'لا توجد خلية {cell} في الملف.'],
    return_cell_formula: ['The cell {cell} holds a formula of the sheet.', 'الخلية {cell} تحوي معادلة في الملف.'],
  },
})
