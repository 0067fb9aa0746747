import { z } from 'zod'
import { area } from './area.ts'
import { basisCalls } from './basis.ts'
import { call } from './call.ts'
import { lookupCalls } from './lookups.contract.ts'
import { operationCalls } from './operations.contract.ts'
import { noticeCalls } from './notices.ts'
import { verifyPaper } from './papers.ts'
import { id, idParam, problem } from './schema.ts'
import { workCalls } from './work.contract.ts'
import { viewCalls } from './views.contract.ts'

/** A job: work that continues after its call has answered. */
export const jobRow = z.object({
  id: z.uuid(),
  name: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  /** Percent. */
  progress: z.int(),
  message: z.string().nullable(),
  /** What the job brought; its shape is the job's own. */
  result: z.unknown(),
  error: z
    .object({ message: z.string(), error: z.object({ en: z.string(), ar: z.string() }), errors: z.array(problem) })
    .nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
})
/** A kept file; `url` is an address for this reader, good until the end of the day. */
export const keptFile = z.object({ id: z.int(), name: z.string(), size: z.int(), mime: z.string(), url: z.string() })

const jobId = z.object({ id: z.uuid() })

export const jobCalls = {
  listJobs: call('GET', '/jobs', {
    permission: 'signed_in',
    summary: ['List own jobs, the newest first', 'عرض مهامي، الأحدث أولًا'],
    response: z.object({ data: z.array(jobRow) }),
  }),
  getJob: call('GET', '/jobs/{id}', {
    permission: 'signed_in',
    summary: ['Follow a job', 'متابعة مهمة'],
    params: jobId,
    response: z.object({ data: jobRow }),
  }),
  cancelJob: call('POST', '/jobs/{id}/cancel', {
    permission: 'signed_in',
    summary: ['Cancel a job', 'إلغاء مهمة'],
    params: jobId,
    response: z.object({ data: jobRow }),
  }),
}

export const fileCalls = {
  uploadFile: call('POST', '/files', {
    permission: 'signed_in',
    summary: ['Upload a file', 'رفع ملف'],
    upload: { field: 'file', accept: ['pdf', 'jpg', 'png', 'zip', 'rar', 'xlsx', 'csv'], maxMB: 30 },
    response: z.object({ data: keptFile }),
  }),
  openFile: call('GET', '/files/{id}/{name}', {
    permission: 'public',
    summary: ['Open a file by the address a record gave', 'فتح ملف بالرابط المرفق مع السجل'],
    params: z.object({ id: idParam, name: z.string().max(500) }),
    query: z.strictObject({ token: z.string().max(100).optional() }),
    file: { name: 'file.pdf', type: 'pdf' },
    // Logos and photographs, with every page.
    traced: false,
  }),
}

/** A notice: the catalogues have its text under `key`, and `data` fills its placeholders. */
export const notification = z.object({
  id: z.int(),
  key: z.string(),
  data: z.record(
    z.string(),
    z.union([
      z.string(),
      z.number(),
      z.null(),
      /** `of_programs`: of which of the reader's records it speaks, where there are several. */
      z.array(z.object({ name: z.string(), name_local: z.string() })),
      /** What a person wrote in several languages. */
      z.object({
        en: z.string(),
        ar: z.string().nullable(),
        de: z.string().nullable(),
        fr: z.string().nullable(),
        pt: z.string().nullable(),
      }),
    ]),
  ),
  link: z.string().nullable(),
  /** What it says, where the university has a text of its own in the reader's language; else the key tells. */
  text: z.string().nullable(),
  created_at: z.string(),
  read_at: z.string().nullable(),
})
/** Notifications that are shown, the latest first. */
export const MOST_NOTIFICATIONS = 100
export const notificationCalls = {
  listNotifications: call('GET', '/notifications', {
    permission: 'signed_in',
    summary: ['List own notifications, the newest first', 'عرض إشعاراتي، الأحدث أولًا'],
    response: z.object({ data: z.array(notification) }),
    personal: true,
  }),
  // Bookkeeping of the reader's own, like signing in: possible in read-only mode too.
  readNotifications: call('POST', '/notifications/read', {
    permission: 'signed_in',
    summary: ['Mark own notifications as read', 'تعليم إشعاراتي كمقروءة'],
    body: z.strictObject({ ids: z.array(id).max(500).optional() }),
    response: z.object({ read: z.int() }),
    reads: true,
    personal: true,
  }),
}

/** What the mechanisms themselves offer: jobs, files, lookups, notifications, operations, saved views. */
export const kitArea = area({
  name: 'kit',
  label: ['Foundations', 'الأساس'],
  notices: {
    // A mail of its own, with the browser and the time, is sent by the sign-in.
    notice_new_sign_in: {
      title: ['A sign-in from a new browser', 'تسجيل دخول من متصفح جديد'],
      audience: [1, 2, 3, 4],
      app: 'always',
      mail: 'never',
    },
    notice_request: {
      title: ['Decisions on my requests', 'القرارات في طلباتي'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_fee: {
      title: ['Fees of my requests', 'رسوم طلباتي'],
      audience: [3],
      app: 'always',
      mail: 'now',
    },
    notice_waits: {
      title: ['Requests whose next step is mine', 'طلبات الخطوة التالية فيها لي'],
      audience: [1, 2],
      app: 'on',
      mail: 'off',
    },
  },
  calls: {
    ...jobCalls,
    ...fileCalls,
    ...notificationCalls,
    ...noticeCalls,
    ...lookupCalls,
    ...operationCalls,
    ...viewCalls,
    ...workCalls,
    ...basisCalls,
    verifyPaper,
  },
})
