import { z } from 'zod'
import { call, date, id, idParam, problem, ref, safeText } from '#kit/contract/index.ts'
import { THESES, thesisJob } from './flow.contract.ts'

const file = z.object({ id, name: z.string(), size: z.int(), url: z.string() })
const by = ref.nullable()
const member = z.object({
  id,
  person: ref,
  external: z.boolean(),
  instructor_id: id.nullable(),
  examiner_id: id.nullable(),
  academic_title: z.string().nullable(),
  job: thesisJob,
  position: z.int(),
  share: z.int().nullable(),
  tie: z.enum(['none', 'relative', 'coauthor']),
  from_date: z.string(),
  until_date: z.string().nullable(),
})
export type ThesisMemberRow = z.output<typeof member>
const remark = z.object({
  id,
  version_id: id,
  reply_to: id.nullable(),
  page: z.int().nullable(),
  text: z.string(),
  by,
  at: z.string(),
  settled_at: z.string().nullable(),
})
export type ThesisRemark = z.output<typeof remark>
const version = z.object({
  id,
  number: z.int(),
  file,
  note: z.string().nullable(),
  at: z.string(),
  by,
  similarity: z.number().nullable(),
  similarity_file: file.nullable(),
})
export type ThesisVersion = z.output<typeof version>
const decision = z.object({
  id,
  kind: z.enum(['approve', 'change', 'grant']),
  council: z.string(),
  session: z.string(),
  number: z.string(),
  decided_on: z.string(),
  undone: z.boolean(),
})
const change = z.object({
  id,
  title: z.string().nullable(),
  title_local: z.string().nullable(),
  department: by,
  supervisors: z.boolean(),
  before: z.object({ title: z.string(), title_local: z.string(), department: by, supervisors: z.array(ref) }),
  reason: z.string(),
  state: z.enum(['waiting', 'applied', 'taken_back']),
  at: z.string(),
})
export type ThesisChange = z.output<typeof change>
const clock = z.object({
  id,
  kind: z.enum(['extension', 'suspension']),
  from_date: z.string(),
  until_date: z.string(),
  reason: z.string(),
  decision: z.string(),
})
const discussion = z.object({
  id,
  room: ref,
  starts_at: z.string(),
  ends_at: z.string(),
  people: z.array(ref),
  result: z.enum(['accepted', 'changes', 'refused']).nullable(),
  changes_due: z.string().nullable(),
  changes_done_on: z.string().nullable(),
  minutes: z.string().nullable(),
  cancelled: z.boolean(),
})
const proof = z.object({
  id,
  kind: z.enum(['language', 'publication']),
  text: z.string(),
  file: file.nullable(),
  accepted_at: z.string().nullable(),
})
const deposit = z.object({
  handle: z.string(),
  embargo_until: z.string().nullable(),
  licence: z.string(),
  deposited_at: z.string(),
  withdrawn_at: z.string().nullable(),
  withdrawn_reason: z.string().nullable(),
})
const whole = z.object({
  id,
  /** What the reader may do beside the steps. */
  may: z.object({
    team: z.boolean(),
    supervise: z.boolean(),
    write: z.boolean(),
    decide: z.boolean(),
    discuss: z.boolean(),
    deposit: z.boolean(),
  }),
  members: z.array(member),
  decisions: z.array(decision),
  changes: z.array(change),
  clock: z.array(clock),
  discussions: z.array(discussion),
  reports: z.array(
    z.object({ id, until_date: z.string(), progress: z.int(), satisfied: z.boolean(), text: z.string(), by }),
  ),
  report_due: z.string().nullable(),
  seminars: z.array(z.object({ id, held_on: z.string(), title: z.string() })),
  proofs: z.array(proof),
  versions: z.array(version),
  remarks: z.array(remark),
  deposit: deposit.nullable(),
  earliest: z.string().nullable(),
  latest: z.string().nullable(),
  extensions_left: z.int(),
  /** Why the next step of its state cannot be taken now; empty: it can. */
  reasons: z.array(problem),
})
export type WholeThesis = z.output<typeof whole>

const done = z.object({ data: z.object({ id }) })
const show = 'show_thesis'
const day = date
const text = (most: number) => safeText(most, 1)
const sent = z.union([id, idParam])
const person = {
  instructor_id: id.nullish(),
  examiner_id: id.nullish(),
  job: thesisJob,
  share: z.int().min(1).max(100).nullish(),
  tie: z.enum(['none', 'relative', 'coauthor']).optional(),
}
const team = ['edit_thesis', 'discuss_thesis', 'register_thesis'] as const
const pdf = { field: 'file', accept: ['pdf'], called: 'PDF', maxMB: 60 } as const

export const thesisCalls = {
  whole: call('GET', `${THESES}/whole/{id}`, {
    permission: show,
    summary: ['Everything about a thesis', 'كل ما يخص رسالة'],
    response: z.object({ data: whole }),
  }),
  my: call('POST', `${THESES}/my`, {
    permission: 'access_thesis',
    reads: true,
    summary: ['The own theses, and those of one’s teams', 'رسائلي والرسائل التي أشارك فيها'],
    body: z.strictObject({}).optional(),
    response: z.object({
      data: z.array(
        z.object({
          id,
          title: z.string(),
          title_local: z.string(),
          student: ref,
          degree: z.enum(['master', 'doctorate']),
          status: z.string(),
          due_on: z.string().nullable(),
          /** null: the own one. */
          job: thesisJob.nullable(),
          report_due: z.string().nullable(),
        }),
      ),
    }),
    example: {},
  }),
  addMember: call('PUT', `${THESES}/members`, {
    permission: team,
    summary: ['Put somebody on the team of a thesis', 'إضافة عضو إلى فريق رسالة'],
    body: z.strictObject({ thesis_id: id, ...person }),
    response: done,
    example: { thesis_id: 1, instructor_id: 1, job: 'observe' },
  }),
  editMember: call('PUT', `${THESES}/members/{id}`, {
    permission: team,
    summary: ['Change job, share or declared tie of a member', 'تعديل دور عضو أو نسبته أو صلته المعلنة'],
    body: z.strictObject({ job: thesisJob.optional(), share: person.share, tie: person.tie }),
    response: done,
    example: { tie: 'coauthor' },
  }),
  reorderMember: call('PUT', `${THESES}/members-reorder/{id}/{order}`, {
    permission: team,
    summary: ['Put a member at another place of the team', 'تغيير ترتيب عضو في الفريق'],
    params: z.object({ id: idParam, order: z.coerce.number().int().min(1).max(100) }),
    response: done,
  }),
  removeMember: call('DELETE', `${THESES}/member/{id}`, {
    permission: team,
    summary: ['Take somebody off the team of a thesis', 'حذف عضو من فريق رسالة'],
    response: done,
  }),
  extend: call('POST', `${THESES}/clock/{id}`, {
    permission: 'approve_thesis',
    summary: ['Extend or suspend the time of a thesis', 'مد مدة رسالة أو إيقاف قيدها'],
    body: z.strictObject({
      kind: z.enum(['extension', 'suspension']),
      from_date: day.optional(),
      until_date: day.optional(),
      reason: text(1000),
      decision: text(100),
    }),
    response: done,
    example: { kind: 'extension', reason: 'Equipment came late.', decision: '7/2026' },
  }),
  report: call('POST', `${THESES}/reports/{id}`, {
    permission: 'supervise_thesis',
    summary: ['Report on the progress of a thesis', 'تقرير عن تقدم رسالة'],
    body: z.strictObject({
      until_date: day,
      progress: z.int().min(0).max(100),
      satisfied: z.boolean(),
      text: text(4000),
    }),
    response: done,
    example: { until_date: '2026-01-31', progress: 40, satisfied: true, text: 'The first chapter is there.' },
  }),
  seminar: call('POST', `${THESES}/seminars/{id}`, {
    permission: 'supervise_thesis',
    summary: ['Record a seminar', 'تسجيل سيمينار'],
    body: z.strictObject({ held_on: day, title: text(400) }),
    response: done,
    example: { held_on: '2026-01-20', title: 'State of the art' },
  }),
  proof: call('PUT', `${THESES}/proofs/{id}`, {
    permission: 'write_thesis',
    summary: ['Hand in a proof of a language or a publication', 'تقديم إثبات لغة أو بحث منشور'],
    upload: { field: 'file', accept: ['pdf', 'png', 'jpg'], called: 'PDF, PNG, JPG', maxMB: 10, optional: true },
    body: z.strictObject({ kind: z.enum(['language', 'publication']), text: text(1000) }),
    response: done,
    example: { kind: 'publication', text: '10.1000/182' },
  }),
  acceptProof: call('POST', `${THESES}/proofs/accept/{id}`, {
    permission: 'supervise_thesis',
    summary: ['Accept a proof, or take that back', 'قبول إثبات أو التراجع عن قبوله'],
    body: z.strictObject({ accepted: z.boolean() }),
    response: done,
    example: { accepted: true },
  }),
  schedule: call('POST', `${THESES}/discussion/{id}`, {
    permission: 'discuss_thesis',
    summary: ['Schedule the discussion and invite the committee', 'تحديد موعد المناقشة ودعوة اللجنة'],
    body: z.strictObject({
      location_id: id,
      day,
      from_time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
      until_time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
    }),
    response: done,
    example: { location_id: 1, day: '2030-01-20', from_time: '10:00', until_time: '12:00' },
  }),
  cancel: call('DELETE', `${THESES}/discussion/{id}`, {
    permission: 'discuss_thesis',
    summary: ['Call a scheduled discussion off', 'إلغاء موعد مناقشة'],
    response: done,
  }),
  changesDone: call('PUT', `${THESES}/changes/{id}`, {
    permission: 'supervise_thesis',
    summary: ['Confirm the changes that the discussion asked for', 'اعتماد التعديلات التي طلبتها المناقشة'],
    body: z.strictObject({ done_on: day }),
    response: done,
    example: { done_on: '2026-01-20' },
  }),
  calendar: call('GET', `${THESES}/discussion/{id}/calendar`, {
    permission: show,
    traced: false,
    summary: ['The discussion of a thesis for a calendar', 'موعد مناقشة رسالة لبرامج التقويم'],
    file: { name: 'discussion.ics', type: 'ics' },
  }),
  addVersion: call('PUT', `${THESES}/versions/{id}`, {
    permission: 'write_thesis',
    summary: ['Hand in a version of the manuscript', 'تقديم نسخة من مخطوط الرسالة'],
    upload: pdf,
    body: z.strictObject({ note: safeText(2000).optional(), own_work: z.enum(['true', 'false']) }),
    response: done,
  }),
  similarity: call('PUT', `${THESES}/similarity/{id}`, {
    permission: ['supervise_thesis', 'discuss_thesis'],
    summary: ['Attach the similarity report of a version', 'إرفاق تقرير الاقتباس لنسخة'],
    upload: { ...pdf, maxMB: 20 },
    body: z.strictObject({ version_id: sent, percent: z.coerce.number().min(0).max(100) }),
    response: done,
  }),
  remark: call('POST', `${THESES}/remarks/{id}`, {
    permission: [show],
    summary: ['Comment on a version of the manuscript, or answer', 'التعليق على نسخة من المخطوط أو الرد'],
    body: z.strictObject({
      version_id: id,
      text: text(4000),
      page: z.int().min(1).max(5000).nullish(),
      reply_to: id.nullish(),
    }),
    response: done,
    example: { version_id: 1, page: 12, text: 'The source of this figure?' },
  }),
  settleRemark: call('POST', `${THESES}/remarks/settle/{id}`, {
    permission: [show],
    summary: ['Settle a comment, or open it again', 'إغلاق تعليق أو إعادة فتحه'],
    body: z.strictObject({ settled: z.boolean() }),
    response: done,
    example: { settled: true },
  }),
  print: call('GET', `${THESES}/printPdf/{id}`, {
    permission: show,
    summary: ['The file of a thesis on paper', 'ملف الرسالة للطباعة'],
    query: z.object({ lang: z.enum(['ar', 'en']).optional() }),
    file: { name: 'thesis.pdf', type: 'pdf', fixed: true },
  }),
  printOwn: call('GET', `${THESES}/printPdf`, {
    permission: show,
    summary: ['The file of the own thesis on paper, or of the one named', 'ملف رسالتي أو الرسالة المحددة للطباعة'],
    query: z.object({ id: idParam.optional(), lang: z.enum(['ar', 'en']).optional() }),
    file: { name: 'thesis.pdf', type: 'pdf', fixed: true },
  }),
  printMinutes: call('GET', `${THESES}/minutes/{id}`, {
    permission: show,
    summary: ['Minutes of the discussion on paper', 'محضر المناقشة للطباعة'],
    query: z.object({ lang: z.enum(['ar', 'en']).optional() }),
    file: { name: 'minutes.pdf', type: 'pdf' },
  }),
  printLetters: call('GET', `${THESES}/letters/{id}`, {
    permission: ['discuss_thesis'],
    summary: ['Letters that invite the committee', 'خطابات دعوة أعضاء اللجنة'],
    query: z.object({ lang: z.enum(['ar', 'en']).optional() }),
    file: { name: 'letters.pdf', type: 'pdf' },
  }),
}
