import { z } from 'zod'
import { call, id, idParam } from '#kit/contract/index.ts'

const kind = z.enum(['user', 'student', 'instructor'])

/** One person, many records: the account, what is studied, what is taught. */
export const personRecordCalls = {
  pageOf: call('GET', '/people/user/{id}/page', {
    permission: ['access_users', 'show_employee', 'show_instructor'],
    summary: ['The page of a person by the account', 'صفحة الشخص من حسابه'],
    params: z.object({ id: idParam }),
    response: z.object({ data: z.object({ kind: z.enum(['employee', 'instructor', 'user']), id }) }),
  }),
  recordsOf: call('GET', '/people/{kind}/{id}/records', {
    permission: ['access_users', 'show_employee', 'show_instructor', 'show_students'],
    summary: ['Other records of the same person', 'سجلات أخرى للشخص نفسه'],
    params: z.object({ kind, id: idParam }),
    response: z.object({
      data: z.array(
        z.object({
          kind,
          id,
          code: z.string().nullable(),
          name: z.string(),
          name_local: z.string(),
          /** What they have in common: the account, or the national id. */
          by: z.enum(['account', 'national_id']),
        }),
      ),
    }),
  }),
}
