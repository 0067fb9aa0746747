import { z } from 'zod'
import { call, id, idParam, ref } from '#kit/contract/index.ts'

/** A record of a student of the person who asks. */
export const ownRecord = z.object({
  id,
  code: z.string(),
  program: ref,
  status: z.string(),
  /** As this one the person works in this session. */
  chosen: z.boolean(),
  blocked: z.boolean(),
})

/** Who studies in two programs has a record in each, and works as one of them at a time. */
export const ownRecordCalls = {
  ownRecords: call('GET', '/users/records', {
    permission: 'signed_in',
    summary: ['Own records of a student, one per program', 'سجلاتي الدراسية: سجل لكل برنامج'],
    response: z.object({ data: z.array(ownRecord) }),
  }),
  /** In this session alone, in every tab of it. */
  chooseRecord: call('PUT', '/users/records/{id}', {
    permission: 'signed_in',
    summary: ['Work as another of the own records', 'العمل بسجل آخر من سجلاتي'],
    params: z.object({ id: idParam }),
    response: z.object({ data: z.array(ownRecord) }),
    reads: true,
  }),
}
