import { call, id, idParam, paperLanguage, ref } from '#kit/contract/index.ts'
import { z } from 'zod'
import { controlStatuses } from '#areas/common/academics/control.rules.ts'
import { markText } from '../grades/grades.contract.ts'

/** A paper that was marked: its code and mark, and nothing by which it could be known whose it is. */
const paper = z.object({ code: z.string(), mark: z.string(), version: z.int() })
export type ExamPaper = z.output<typeof paper>

const student = z.object({ id, code: z.string(), name: z.string(), name_local: z.string() })
const counts = { papers: z.int(), marked: z.int(), missing: z.int() }

/** An offering whose papers carry barcodes. */
export const barcodeOffering = z.object({
  id,
  code: z.string(),
  course: ref,
  term: ref,
  control_status: z.enum(controlStatuses),
  /** none: names stand on the papers; closed: papers are marked without them; opened: their marks stand with the names. */
  names: z.enum(['none', 'closed', 'opened']),
  /** Maximum of the final exam; null: the scheme has none. */
  max: z.string().nullable(),
  ...counts,
  /** Papers that were marked, in the order of their codes; empty for who does not mark here. */
  rows: z.array(paper),
  abilities: z.array(z.enum(['mark', 'generate', 'names', 'labels', 'open', 'history'])),
})
export type BarcodeOffering = z.output<typeof barcodeOffering>

/** What happened to barcodes on papers, as it is told once the names are open. */
export const PAPER_EVENTS = [
  'closed',
  'printed',
  'attached',
  'replaced',
  'detached',
  'gone',
  'rejected',
  'opened',
] as const
const event = z.object({
  at: z.string(),
  what: z.enum(PAPER_EVENTS),
  /** null: of all papers; or a student whose record is gone. */
  student: student.nullable(),
  /** The barcodes that were on the paper before and after. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  reason: z.string().nullable(),
  by: ref.nullable(),
  /** Who acted as that person. */
  really_by: ref.nullable(),
  /** Who confirmed it, or said no. */
  decided_by: ref.nullable(),
  decided_reason: z.string().nullable(),
})
export type PaperEvent = z.output<typeof event>

/** Papers of final exams that are marked by barcode, by people who learn no name. */
export const barcodeCalls = {
  show: call('GET', '/control/offerings/barcode/{id}', {
    permission: ['mark_by_barcode', 'manage_barcodes'],
    summary: ['Show the papers of an offering by their barcodes', 'عرض أوراق امتحان المقرر بالباركود'],
    response: z.object({ data: barcodeOffering }),
  }),
  mark: call('PUT', '/control/students/barcode/update-final-mark/{id}', {
    permission: 'mark_by_barcode',
    summary: ['Enter the mark of a paper of an offering (id) by its barcode', 'رصد درجة ورقة امتحان في مقرر بالباركود'],
    body: z.strictObject({
      barcode: z.string().trim().min(1).max(60),
      /** null takes it away. */
      mark: markText.nullable(),
      /** The version seen; null, or left out: the paper had no mark. */
      version: z.int().nullable().default(null),
    }),
    response: z.object({ data: paper.nullable(), ...counts }),
    example: { barcode: '0123456789AB', mark: '41', version: null },
  }),
  students: call('POST', '/control/offerings/barcode/students/{offering_id}', {
    permission: 'manage_barcodes',
    summary: ['Whose barcode is which in an offering', 'عرض باركود كل طالب في المقرر'],
    params: z.object({ offering_id: idParam }),
    body: z.strictObject({}),
    response: z.object({ data: z.array(z.object({ barcode: z.string(), student: student.nullable() })) }),
    example: {},
  }),
  generate: call('POST', '/control/offerings/barcode/generate/{id}', {
    permission: 'manage_barcodes',
    summary: ['Give each paper of an offering a barcode', 'إصدار باركود لأوراق امتحان المقرر'],
    body: z.strictObject({
      /** Barcodes besides, that are on nobody's paper yet. */
      spare: z.int().min(0).max(200).default(0),
    }),
    response: z.object({ data: barcodeOffering }),
    example: { spare: 2 },
  }),
  labels: call('GET', '/control/offerings/barcode/labels/{id}/{lang}', {
    permission: 'manage_barcodes',
    summary: ['Print the labels of an offering', 'طباعة ملصقات الباركود'],
    params: z.object({ id: idParam, lang: paperLanguage }),
    file: { name: 'Barcodes.pdf', type: 'pdf' },
  }),
  open: call('POST', '/control/offerings/barcode/open/{id}', {
    permission: 'manage_barcodes',
    summary: ['Open the names: marks of papers stand with their students', 'كشف الأسماء: نقل درجات الأوراق إلى أصحابها'],
    body: z.strictObject({}),
    response: z.object({
      data: z.object({
        /** Marks that stand with their students now. */
        taken: z.int(),
        /** Marked papers whose student takes no mark any more (withdrawn, absent): their marks are left. */
        left: z.array(z.object({ barcode: z.string(), mark: z.string(), student: student.nullable() })),
        /** Students whose paper has no mark. */
        missing: z.array(student),
      }),
    }),
    example: {},
  }),
  history: call('GET', '/control/offerings/barcode/history/{id}', {
    permission: 'manage_barcodes',
    summary: [
      'What happened to the barcodes of an offering, once its names are open',
      'سجل باركود أوراق المقرر بعد كشف الأسماء',
    ],
    response: z.object({ data: z.array(event) }),
  }),
}
