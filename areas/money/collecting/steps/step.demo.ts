import { demoLookup } from '#demo/part.ts'
import { reminderStep } from './step.contract.ts'

/** A week and a day before it is due; three levels after it. A faculty gives its students more time. */
export default demoLookup(
  reminderStep,
  (demo) => {
    const step = (moment: 'before' | 'after', days: number, more: Readonly<Record<string, unknown>> = {}) => ({
      moment,
      days,
      faculty_id: null,
      text: null,
      text_local: null,
      text_de: null,
      text_fr: null,
      text_pt: null,
      is_active: true,
      ...more,
    })
    const other = demo.faculties[0]!.id
    return [
      ['BEFORE7', 'A week before', 'قبل الموعد بأسبوع', step('before', 7)],
      ['BEFORE1', 'The day before', 'قبل الموعد بيوم', step('before', 1)],
      ['LATE3', 'First reminder', 'التذكير الأول', step('after', 3)],
      [
        'LATE14',
        'Second reminder',
        'التذكير الثاني',
        step('after', 14, {
          text: 'Please pay now, or tell the finance office why you cannot.',
          text_local: 'برجاء السداد الآن، أو إبلاغ الإدارة المالية بسبب التعذر.',
          text_de: 'Bitte zahlen Sie jetzt, oder sagen Sie der Finanzabteilung, warum Sie es nicht können.',
          text_fr: 'Veuillez payer maintenant, ou dire au service financier pourquoi vous ne le pouvez pas.',
          text_pt: 'Pague agora, ou diga ao serviço financeiro porque não pode.',
        }),
      ],
      ['LATE30', 'Last reminder', 'التذكير الأخير', step('after', 30)],
      ['OWN5', 'Five days before', 'قبل الموعد بخمسة أيام', step('before', 5, { faculty_id: other })],
      ['OWN21', 'After three weeks', 'بعد ثلاثة أسابيع', step('after', 21, { faculty_id: other })],
    ]
  },
  ['faculties', 'fee_items'],
)
