import { owned, type Door, type Label } from '#kit/contract/index.ts'

const CONTROL: Label = ['control of the exam papers', 'كنترول أوراق الامتحان']
/** Once marking began, a second person confirms. */
const CONFIRMED: Door = 'POST /exam-barcodes/changes/confirm/{id}'
const ATTACHED: readonly Door[] = [
  CONFIRMED,
  'POST /exam-barcodes/attach_backup_barcode',
  'POST /control/offerings/barcode/generate/{id}',
]
const SCREEN = '/exams_barcodes'

/** Who owns the states of a barcode on an exam paper: free, on a paper, marked. */
export const barcodeStates = owned({
  name: 'exam_barcode',
  one: ['Exam barcode', 'باركود ورقة امتحان'],
  table: 'exam_barcodes',
  state: `case when t.mark is not null or t.absent then 'marked'
    when exists (select from exam_barcode_owners w where w.barcode_id = t.id) then 'attached' else 'free' end`,
  from: { exam_barcode_owners: 'barcode_id' },
  states: {
    free: {
      label: ['Unused', 'غير مستخدم'],
      owner: CONTROL,
      screen: SCREEN,
      doors: [
        'PUT /exam-barcodes/generate_backup_barcodes',
        'POST /control/offerings/barcode/generate/{id}',
        CONFIRMED,
        'POST /exam-barcodes/detach_backup_barcode/{id}',
      ],
    },
    attached: { label: ['On a paper', 'على ورقة'], owner: CONTROL, screen: SCREEN, doors: ATTACHED },
    marked: {
      label: ['Marked', 'مُصححة'],
      owner: ['whoever marks the paper without its name', 'من يصحح الورقة دون اسم'],
      screen: SCREEN,
      doors: ['PUT /control/students/barcode/update-final-mark/{id}'],
    },
  },
})
