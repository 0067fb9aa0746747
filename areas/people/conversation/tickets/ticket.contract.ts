import {
  call,
  date,
  f,
  id,
  listOf,
  listQuery,
  problem,
  ref,
  exportQuery,
  safeText,
  series,
} from '#kit/contract/index.ts'
import { keptFile } from '#kit/contract/kit.area.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { z } from 'zod'
import { MOST_FILES } from '../limits.contract.ts'

export const ticketNumbers = series('tickets', { per: 'year', format: 'T-{period}-{n}', width: 5 })

export const TICKET_TYPES = [
  { value: 'question', label: ['Question', 'استفسار'] },
  { value: 'problem', label: ['Problem', 'مشكلة'] },
  { value: 'request', label: ['Request', 'طلب'] },
  { value: 'complaint', label: ['Complaint', 'شكوى'] },
  { value: 'suggestion', label: ['Suggestion', 'اقتراح'] },
] as const

/** What a step looks at. */
export interface TicketFacts {
  /** Number of the ticket into which it was merged; null: it was not. */
  readonly merged: string | null
}
const notMerged = ({ merged }: TicketFacts) => (merged ? [{ code: 'ticket_merged', data: { number: merged } }] : [])

/** States in which a ticket waits for who answers. */
export const OPEN_TICKET_STATES = ['open', 'reopened', 'in_progress'] as const

/** The way of a ticket: who asked and the members of the group move it. */
export const ticketFlow = workflow<TicketFacts>()({
  name: 'ticket',
  one: ['Ticket', 'تذكرة'],
  field: 'status',
  states: [
    { value: 'open', label: ['Nobody has it yet', 'لم يستلمها أحد بعد'], tone: 'waiting' },
    { value: 'in_progress', label: ['Being handled', 'قيد المعالجة'], tone: 'active' },
    { value: 'waiting', label: ['Waits for who asked', 'بانتظار صاحبها'], tone: 'draft' },
    { value: 'resolved', label: ['Resolved', 'محلولة'], tone: 'done' },
    { value: 'closed', label: ['Closed', 'مغلقة'], tone: 'frozen' },
    { value: 'reopened', label: ['Reopened', 'أُعيد فتحها'], tone: 'waiting' },
  ],
  actions: {
    start: {
      label: ['Take on', 'بدء المعالجة'],
      call: ['PUT', '/tickets/status/start/{id}'],
      permission: 'handle_ticket',
      from: { open: 'in_progress', reopened: 'in_progress', waiting: 'in_progress' },
    },
    resolve: {
      label: ['Resolve', 'تم الحل'],
      call: ['PUT', '/tickets/status/resolve/{id}'],
      permission: 'handle_ticket',
      from: { open: 'resolved', in_progress: 'resolved', waiting: 'resolved', reopened: 'resolved' },
      notice: 'conversation.notice_ticket_status',
    },
    wait: {
      label: ['Wait for who asked', 'انتظار رد صاحبها'],
      call: ['PUT', '/tickets/status/wait/{id}'],
      permission: 'handle_ticket',
      from: { open: 'waiting', in_progress: 'waiting', reopened: 'waiting' },
      notice: 'conversation.notice_ticket_status',
    },
    close: {
      label: ['Close', 'إغلاق'],
      call: ['PUT', '/tickets/status/close/{id}'],
      permission: ['handle_ticket', 'ask_ticket'],
      from: { open: 'closed', in_progress: 'closed', waiting: 'closed', resolved: 'closed', reopened: 'closed' },
      byOwner: true,
      notice: 'conversation.notice_ticket_status',
    },
    reopen: {
      label: ['Open again', 'إعادة الفتح'],
      call: ['PUT', '/tickets/status/reopen/{id}'],
      permission: ['handle_ticket', 'ask_ticket'],
      from: { resolved: 'reopened', closed: 'reopened' },
      byOwner: true,
      needs: notMerged,
    },
    answer: {
      label: ['Answered by who asked', 'رد صاحبها'],
      call: ['PUT', '/tickets/status/answer/{id}'],
      permission: 'ask_ticket',
      from: { waiting: 'in_progress' },
      byOwner: true,
      single: true,
    },
  },
  bulk: '/tickets/bulk/{action}',
  history: { path: '/tickets/steps/{id}', permission: ['handle_ticket', 'ask_ticket'] },
})
export const ticketSteps = workflowCalls(ticketFlow)

const status = z.enum(ticketFlow.states.map((one) => one.value))
const type = z.enum(TICKET_TYPES.map((one) => one.value))
const person = z.object({ id, name: z.string(), name_local: z.string() })

const row = z.object({
  id,
  version: z.int(),
  number: z.string(),
  type,
  subject: z.string(),
  status,
  group: ref,
  asker: person,
  created_at: z.string(),
  responded_at: z.string().nullable(),
  resolved_at: z.string().nullable(),
  /** Working minutes until the first answer and the resolution, or so far. */
  response_minutes: z.int(),
  resolution_minutes: z.int(),
  /** Whether the group's target was missed. */
  late: z.boolean(),
  score: z.int().nullable(),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
})
export type TicketRow = z.output<typeof row>

const message = z.object({
  id,
  author: person,
  /** Written by who asked. */
  by_asker: z.boolean(),
  /** Only for who answers. */
  internal: z.boolean(),
  body: z.string(),
  created_at: z.string(),
  files: z.array(keptFile),
})
export type TicketMessage = z.output<typeof message>

const detail = row.extend({
  score_comment: z.string().nullable(),
  /** Who asks, for who answers: student and program. null: no student, or not for this reader. */
  student: ref.extend({ program: ref, level: z.int() }).nullable(),
  merged_into: z.object({ id, number: z.string() }).nullable(),
  /** Hours in which the group promises to answer and to resolve. */
  targets: z.object({ response: z.int(), resolution: z.int() }),
  messages: z.array(message),
})
export type TicketDetail = z.output<typeof detail>

/** What is said, with the files that were uploaded for it. */
export const said = {
  body: safeText(4000, 1),
  file_ids: z.array(id).max(MOST_FILES, 'message_files').default([]),
  /** Made by who sends it, once: sent again by a retry, it is stored once. */
  key: z.uuid(),
}
const KEY = '7d4f6a6e-52a5-4c1f-9a1d-0d3f2b8c6a01'

const group = z.object({
  group: ref,
  count: z.int(),
  open: z.int(),
  /** Median of working minutes; null: none yet. */
  response: z.int().nullable(),
  resolution: z.int().nullable(),
  /** Shares in time, percent. */
  response_in_time: z.int().nullable(),
  resolution_in_time: z.int().nullable(),
  score: z.string().nullable(),
})

const both = ['ask_ticket', 'handle_ticket'] as const
export const ticketCalls = {
  listTickets: call('POST', '/tickets', {
    permission: 'handle_ticket',
    summary: ['List the tickets of my groups', 'عرض تذاكر مجموعاتي'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  exportTickets: call('POST', '/tickets/export', {
    permission: 'handle_ticket',
    summary: ['Export the tickets of my groups', 'تصدير تذاكر مجموعاتي'],
    body: exportQuery,
    file: { name: 'Tickets.xlsx', type: 'xlsx' },
    reads: true,
  }),
  myTickets: call('POST', '/my-tickets', {
    permission: 'ask_ticket',
    summary: ['List the tickets I opened', 'عرض التذاكر التي فتحتها'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  getTicket: call('GET', '/tickets/{id}', {
    permission: both,
    summary: ['Show a ticket with what was said', 'عرض تذكرة وما دار فيها'],
    response: z.object({ data: detail }),
  }),
  openTicket: call('PUT', '/tickets', {
    permission: 'ask_ticket',
    summary: ['Open a ticket', 'فتح تذكرة'],
    body: z.strictObject({
      group_id: id,
      type,
      subject: safeText(200, 3),
      description: safeText(4000, 1),
      file_ids: said.file_ids,
      key: said.key,
    }),
    response: z.object({ data: detail }),
    example: {
      group_id: 1,
      type: 'question',
      subject: 'A certificate in English',
      description: 'How do I get one?',
      key: KEY,
    },
  }),
  say: call('POST', '/tickets/reply/{id}', {
    permission: both,
    summary: ['Reply to a ticket', 'الرد على تذكرة'],
    body: z.strictObject(said),
    response: z.object({ data: detail }),
    example: { body: 'You get it at the registrar.', key: KEY },
  }),
  note: call('POST', '/tickets/note/{id}', {
    permission: 'handle_ticket',
    summary: ['Write an internal note on a ticket', 'كتابة ملاحظة داخلية على تذكرة'],
    body: z.strictObject(said),
    response: z.object({ data: detail }),
    example: { body: 'Asked the faculty.', key: KEY },
  }),
  answerTexts: call('GET', '/tickets/answer-texts/{id}', {
    permission: 'handle_ticket',
    summary: ['Texts that may answer a ticket', 'نصوص يمكن الرد بها على تذكرة'],
    response: listOf(
      z.object({ id, name: z.string(), name_local: z.string(), text: z.string(), text_local: z.string() }),
    ),
  }),
  setStatus: call('PUT', '/tickets/status/{id}', {
    permission: both,
    summary: ['Change the status of a ticket', 'تغيير حالة تذكرة'],
    body: z.strictObject({
      status: z.enum(status.options, 'ticket_new_status'),
      reason: safeText(500).optional(),
      version: z.int().optional(),
    }),
    response: z.object({ data: z.object({ id, version: z.int(), status }) }),
    example: { status: 'in_progress' },
  }),
  setGroup: call('PUT', '/tickets/group/{id}', {
    permission: 'handle_ticket',
    summary: ['Hand a ticket to another group', 'تحويل تذكرة إلى مجموعة أخرى'],
    body: z.strictObject({ group_id: z.int('ticket_new_group').pipe(id), version: z.int().optional() }),
    response: z.object({ data: z.object({ id, version: z.int() }) }),
    example: { group_id: 2 },
  }),
  merge: call('POST', '/tickets/merge/{id}', {
    permission: 'handle_ticket',
    summary: ['Merge a ticket into another of the same person', 'دمج تذكرة في أخرى لنفس الشخص'],
    body: z.strictObject({ into_id: id }),
    response: z.object({ data: z.object({ id, number: z.string() }) }),
    example: { into_id: 2 },
  }),
  rate: call('POST', '/tickets/rate/{id}', {
    permission: 'ask_ticket',
    summary: ['Say how content I am with the answer', 'تقييم مدى الرضا عن الرد'],
    body: z.strictObject({ score: z.int().min(1).max(5), comment: safeText(500).nullish() }),
    response: z.object({ data: z.object({ id, score: z.int() }) }),
    example: { score: 5 },
  }),
  statistics: call('POST', '/tickets/statistics', {
    permission: 'handle_ticket',
    summary: ['Figures of tickets by group', 'إحصاءات التذاكر حسب المجموعة'],
    body: z.strictObject({ from: date.optional(), to: date.optional() }),
    response: z.object({
      data: z.object({
        groups: z.array(group),
        statuses: z.array(z.object({ status, count: z.int() })),
        days: z.array(z.object({ day: z.string(), opened: z.int(), resolved: z.int() })),
      }),
    }),
    reads: true,
    example: {},
  }),
}

/** Fields by which lists of tickets are filtered and exported. */
export const ticketFields = {
  number: f.code(['Ticket number', 'رقم التذكرة'], {}),
  subject: f.text(['What it is about', 'الموضوع'], {}),
  type: f.choice(['Type', 'النوع'], TICKET_TYPES),
  status: f.choice(['Status', 'الحالة'], ticketFlow.states),
  group_id: f.lookup(['Ticket group', 'مجموعة التذاكر'], 'ticketGroup'),
  created_at: f.instant(['Opened on', 'تاريخ الفتح']),
  responded_at: f.instant(['First answer on', 'تاريخ أول رد']),
  resolved_at: f.instant(['Resolved on', 'تاريخ الحل']),
  late: f.flag(['Late', 'متأخرة']),
  score: f.integer(['Satisfaction', 'مدى الرضا'], { min: 1, max: 5 }),
}
