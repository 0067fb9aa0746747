import { z } from 'zod'
import { call, exportQuery, f, historyEntry, id, idParam, listOf, listQuery, ref } from '#kit/contract/index.ts'
import { toldChange, toldRecord } from '#kit/contract/told.ts'

/** What the log of changes tells of a record, as stored. */
export const AUDIT_ACTIONS = [
  { value: 'insert', label: ['Added', 'إضافة'], tone: 'done' },
  { value: 'update', label: ['Changed', 'تعديل'], tone: 'active' },
  { value: 'delete', label: ['Deleted', 'حذف'], tone: 'refused' },
] as const

/** What the log can be filtered by. */
export const auditTrailFields = {
  at: f.instant(['When', 'الوقت']),
  actor_id: f.lookup(['Who', 'من'], 'user'),
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  action: f.choice(['What was done', 'الإجراء'], AUDIT_ACTIONS),
  table_name: f.text(['Kind of record', 'نوع السجل']),
  record_id: f.integer(['Number of the record', 'رقم السجل']),
  ip: f.text(['Address', 'العنوان']),
  request_id: f.text(['Number of the request', 'رقم الطلب']),
}

/** Rows that can be gone to by pages; what is older is found by a filter of time. */
export const MOST_PAGED = 2500

const named = z.object({ name: z.string(), name_local: z.string() })
const auditRow = z.object({
  id: z.number(),
  at: z.string(),
  action: z.string(),
  table_name: z.string(),
  record_id: z.int().nullable(),
  /** As whom; the name is missing when the account is gone. */
  actor: ref.nullable(),
  /** Who really sat there. */
  impersonator: ref.nullable(),
  ip: z.string().nullable(),
  reason: z.string().nullable(),
  request_id: z.string().nullable(),
  /** What it concerned, in words. */
  record: toldRecord,
  /** The fields that changed, without what is hidden from the log or from the reader. */
  changes: z.array(toldChange),
  /** Fields that changed and are not told to the reader. */
  withheld: z.int(),
})
export type AuditRow = z.output<typeof auditRow>

const entry = historyEntry.extend({
  id: z.number(),
  ip: z.string().nullable(),
  request_id: z.string().nullable(),
  withheld: z.int(),
})
export type AuditEntry = z.output<typeof entry>

export const auditTrailCalls = {
  audit: call('POST', '/logs', {
    permission: 'access_logs',
    summary: [
      'Log of changes: who, as whom, when, from where, which record, old and new',
      'سجل التغييرات: من، ونيابة عمن، ومتى، ومن أين، وأي سجل، والقيم القديمة والجديدة',
    ],
    body: listQuery,
    response: listOf(auditRow),
    reads: true,
  }),
  exportAudit: call('POST', '/logs/export', {
    permission: 'access_logs',
    summary: ['Export the log of changes', 'تصدير سجل التغييرات'],
    body: exportQuery,
    file: { name: 'Log.xlsx', type: 'xlsx' },
    reads: true,
    example: { filters: { table_name: 'settings' } },
  }),
  auditTables: call('GET', '/logs/tables', {
    permission: 'access_logs',
    summary: ['Tables of which the log tells', 'الجداول التي يشملها سجل التغييرات'],
    response: z.object({
      data: z.array(z.object({ table_name: z.string(), table: named.nullable() })),
    }),
  }),
  auditOf: call('GET', '/logs/{id}/{tableName}', {
    permission: 'access_logs',
    summary: ['Log of one record', 'سجل تغييرات سجل واحد'],
    params: z.object({ id: idParam, tableName: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/) }),
    response: z.object({
      data: z.array(entry),
      meta: z.object({
        table: named.nullable(),
        /** The record as it is called now, and where its screen is; null where there is none any more. */
        record: ref.nullable(),
        path: z.string().nullable(),
        /** Older entries are found in the list. */
        more: z.boolean(),
      }),
    }),
  }),
}
export const logAddress = (table: string, record: z.output<typeof id>): string =>
  `/settings/logs/view/${record}/${table}`
