import { z } from 'zod'
import { asked } from '#access/crud.contract.ts'
import type { MenuBlock } from '#access/menu.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { ScopeKind } from '#access/reach.contract.ts'
import { call, date, f, id, idParam, ref, resource, safeText } from '#kit/contract/index.ts'
import type { Fields, Label, Request } from '#kit/contract/index.ts'
import type { FieldReader } from '#kit/contract/field.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { DOCUMENT_FILES, checkAccepting, checkExpiring, checkHandingIn, checkReopening } from './document.rules.ts'
import type { DocumentFacts } from './document.rules.ts'

/** What becomes of a document. */
export const DOCUMENT_STATES = [
  { value: 'owed', label: ['Not handed in', 'لم يُسلَّم'], tone: 'waiting' },
  { value: 'handed_in', label: ['Handed in', 'مُسلَّم'], tone: 'active' },
  { value: 'accepted', label: ['Accepted', 'مقبول'], tone: 'done' },
  { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused', sometimes: true },
  { value: 'outdated', label: ['No longer valid', 'منتهي الصلاحية'], tone: 'refused', sometimes: true },
  { value: 'waived', label: ['Waived', 'معفى منه'], tone: 'frozen', sometimes: true },
] as const
const status = z.enum(DOCUMENT_STATES.map(({ value }) => value))
const given = z.object({
  id,
  version: z.int(),
  status,
  asked: z.boolean(),
  expires_on: z.string().nullable(),
  number: z.string().nullable(),
  file: z.object({ id, name: z.string(), size: z.int(), url: z.string() }).nullable(),
  /** When it came, or was asked for. */
  created_at: z.string(),
  /** What was said with the last step. */
  reason: z.string().nullable(),
  abilities: z.array(z.string()),
})
export type GivenDocument = z.output<typeof given>
const ofPerson = z.object({
  data: z.object({
    /** Whose they are. */
    holder_id: id,
    /** Whether something is missing; of students it keeps from registering. */
    lacking: z.boolean(),
    /** May hand in, for the own or at the desk. */
    may_hand_in: z.boolean(),
    may_decide: z.boolean(),
    /** Whether the reader opens the files. */
    reads_files: z.boolean(),
    kinds: z.array(
      z.object({
        kind: ref,
        /** Of this person, by the kind or because it was asked for. */
        required: z.boolean(),
        lacking: z.boolean(),
        expires: z.boolean(),
        /** Newest first. */
        documents: z.array(given),
      }),
    ),
    /** Other kinds, which may be handed in or asked for. */
    others: z.array(ref.extend({ expires: z.boolean() })),
  }),
})
export type DocumentsOfPerson = z.output<typeof ofPerson>['data']

const handing = {
  kind_id: id,
  /** A file that the caller has uploaded; the desk may leave it out: it was seen on paper. */
  file_id: id.nullish(),
  number: safeText(60).nullish(),
  expires_on: date.nullish(),
}

/** Whose documents they are, and what of them is called how. */
export interface DocumentHolder<K extends string = string> {
  readonly kind: K
  readonly one: Label
  readonly many: Label
  readonly exportName: string
  /** The list of the people: `/students`. */
  readonly people: string
  readonly scope: readonly ScopeKind[]
  /** Who reads files and numbers besides who decides: who only advises hears what is missing, and reads no certificates. */
  readonly readers: readonly FieldReader[]
  readonly person: Label
  readonly order: number
  readonly block: MenuBlock
  /** Where people find the own documents. */
  readonly ownPage: string
}

/**
 * Documents of people of one kind: the way of each (asked for, handed in, looked at, and one day no longer valid), the inbox of
 * who decides, and the calls by which they are handed in and asked for.
 */
export function documentsOf<const K extends string>(holder: DocumentHolder<K>) {
  const { kind, one, many, people } = holder
  const subject = `${kind}Document`
  const path = `/${kind}-documents`
  const holder_id = `${kind}_id`
  // Of the demo university: a birth certificate; the national id card of staff.
  const example_kind = kind === 'student' ? 2 : 9
  const example_expiry = kind === 'student' ? {} : { expires_on: '2030-05-01' }
  const { list, add, show } = asked(subject)
  const decide = `decide_${subject}` as PermissionKey
  const readers = [...new Set<FieldReader>([...holder.readers, decide])]
  const flow = workflow<DocumentFacts>()({
    name: subject,
    one,
    field: 'status',
    states: DOCUMENT_STATES,
    actions: {
      accept: {
        label: ['Accept', 'قبول'],
        call: ['POST', `${path}/accept/{id}`],
        permission: decide,
        from: { handed_in: 'accepted' },
        needs: checkAccepting,
        takenBackBy: 'reopen',
        notice: 'documents.notice_document',
      },
      reject: {
        label: ['Reject', 'رفض'],
        call: ['POST', `${path}/reject/{id}`],
        permission: decide,
        from: { handed_in: 'rejected' },
        reason: 'required',
        tone: 'refused',
        notice: 'documents.notice_document',
      },
      hand_in: {
        label: ['Hand in', 'تسليم'],
        summary: [
          'Hand in a document that is missing; at the desk: it was seen on paper',
          'تسليم مستند ناقص، ولدى الموظف المختص: قُدّم ورقيًا',
        ],
        call: ['POST', `${path}/hand_in/{id}`],
        permission: add,
        from: { owed: 'handed_in', waived: 'handed_in' },
        needs: checkHandingIn,
        byOwner: true,
        single: true,
      },
      take_back: {
        label: ['Take back', 'سحب'],
        call: ['POST', `${path}/take_back/{id}`],
        permission: add,
        from: { handed_in: 'owed' },
        byOwner: true,
        single: true,
        tone: 'refused',
      },
      waive: {
        label: ['Do without it', 'الإعفاء منه'],
        call: ['POST', `${path}/waive/{id}`],
        permission: decide,
        from: { owed: 'waived' },
        reason: 'required',
        tone: 'refused',
        notice: 'documents.notice_document',
      },
      demand: {
        label: ['Ask for it again', 'طلبه من جديد'],
        call: ['POST', `${path}/demand/{id}`],
        permission: decide,
        from: { waived: 'owed' },
        reason: 'required',
        tone: 'refused',
        notice: 'documents.notice_document',
      },
      reopen: {
        label: ['Open again', 'إعادة الفتح'],
        call: ['POST', `${path}/reopen/{id}`],
        permission: decide,
        from: { accepted: 'handed_in', rejected: 'handed_in' },
        needs: checkReopening,
        reason: 'required',
        tone: 'refused',
        notice: 'documents.notice_document',
      },
      expire: {
        label: ['Mark as expired', 'إنهاء الصلاحية'],
        call: ['POST', `${path}/expire/{id}`],
        permission: decide,
        from: { accepted: 'outdated' },
        needs: checkExpiring,
        tone: 'refused',
        notice: 'documents.notice_document',
      },
    },
    bulk: `${path}/bulk/{action}`,
    history: { path: `${path}/steps/{id}`, permission: show },
  })
  const fields = {
    [holder_id]: f.lookup(holder.person, kind, { required: true, createOnly: true }),
    kind_id: f.lookup(['Kind of document', 'نوع المستند'], 'documentKind', { required: true, createOnly: true }),
    status: f.choice(['Status', 'الحالة'], DOCUMENT_STATES, { readOnly: true }),
    expires_on: f.date(['Valid until', 'صالح حتى'], { readOnly: true }),
    number: f.text(['Number on it', 'الرقم المدوّن عليه'], { readOnly: true, max: 60, readers }),
    file_id: f.file(['File', 'الملف'], { readOnly: true, readers, accept: DOCUMENT_FILES }),
    asked: f.flag(['Asked for by name', 'مطلوب بالاسم'], { readOnly: true, detailOnly: true }),
    created_at: f.instant(['Since', 'منذ'], { readOnly: true }),
  }
  const steps = workflowCalls(flow)
  const document = {
    ...resource({
      name: subject,
      path,
      table: `${kind}_documents`,
      one,
      many,
      adding: ['Hand in a document', 'تسليم مستند'],
      editing: one,
      // Handed in by a call of its own: one that is asked for already is the one that is handed in.
      permissions: { ...asked(subject), add: null },
      scope: holder.scope as readonly ['own'],
      holder: holder_id,
      fields,
      list: {
        columns: [holder_id, 'kind_id', 'status', 'expires_on', 'created_at'],
        search: [],
        sort: ['status', 'expires_on', 'created_at'],
        filters: [holder_id, 'kind_id', 'status', 'expires_on'],
        order: ['created_at', 'asc'],
      },
      exportName: holder.exportName,
      softDelete: true,
      traced: true,
      screens: { list: path },
      menu: {
        group: 'people',
        order: holder.order,
        icon: 'file-check',
        notFor: [3],
        block: holder.block,
        subject: 'documents',
      },
    }),
    flow,
    steps,
  } as unknown as Request<`${K}Document`, Fields, string, DocumentFacts>
  const whose = { [holder_id]: id } as { readonly holder_id: typeof id }
  const done = z.object({ data: z.object({ id, version: z.int(), status }) })
  const calls = {
    ofPerson: call('GET', `${people}/{id}/documents` as '/people/{id}/documents', {
      permission: show,
      summary: ['Documents of a person: what is required, and what was handed in', 'مستندات شخص: المطلوب منها وما سُلّم'],
      response: ofPerson,
      traced: kind,
    }),
    own: call('GET', `${people}/documents`, {
      permission: show,
      summary: ['My documents', 'مستنداتي'],
      response: ofPerson,
    }),
    handIn: call('POST', `${path}/hand-in`, {
      permission: add,
      summary: ['Hand in a document: the own one, or at the desk', 'تسليم مستند: الخاص بي أو لدى الموظف المختص'],
      body: z.strictObject({ ...whose, ...handing }),
      response: done,
      example: { [holder_id]: 1, kind_id: example_kind, number: 'A 1204', ...example_expiry },
    }),
    ask: call('POST', `${path}/ask`, {
      permission: decide,
      summary: ['Ask one person for a document', 'طلب مستند من شخص بعينه'],
      body: z.strictObject({ ...whose, kind_id: id }),
      response: done,
      example: { [holder_id]: 1, kind_id: example_kind },
    }),
    waive: call('POST', `${path}/waive`, {
      permission: decide,
      summary: ['Do without a required document of one person', 'إعفاء شخص من مستند مطلوب'],
      body: z.strictObject({ ...whose, kind_id: id, reason: safeText(500, 3) }),
      response: done,
      example: { [holder_id]: 1, kind_id: example_kind, reason: 'The school burnt down with its archive.' },
    }),
    correct: call('PUT', `${path}/{id}` as '/documents/{id}', {
      permission: decide,
      summary: ['Put the number or the day of expiry right while it waits', 'تصحيح الرقم أو تاريخ الانتهاء قبل البت'],
      params: z.object({ id: idParam }),
      body: z.strictObject({
        number: safeText(60).nullish(),
        expires_on: date.nullish(),
        version: z.int().optional(),
      }),
      response: done,
      example: { expires_on: '2030-05-01' },
    }),
  }
  return { holder, holder_id, document, flow, steps, calls, list, add, show, decide, readers }
}
export type DocumentsOf = ReturnType<typeof documentsOf>
