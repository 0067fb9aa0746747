import { handle, type Handled } from '#kit/server/base/context.ts'
import { bulkCalls } from './bulk.contract.ts'
import { enrolStudents, exemptStudents, removeStudents } from './bulk.server.ts'

export const bulkHandlers: Handled[] = [
  handle(bulkCalls.enroll, (ctx, { body }) => enrolStudents(ctx, { ...body, reason: body.reason ?? null })),
  handle(bulkCalls.remove, (ctx, { params, body }) =>
    removeStudents(ctx, params.offering_id, body.student_ids, body.reason, body.overrides),
  ),
  handle(bulkCalls.exempt, (ctx, { body }) => exemptStudents(ctx, body.offering_id, body.student_ids, body.reason)),
]
