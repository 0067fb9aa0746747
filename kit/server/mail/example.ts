import type { Ctx } from '#kit/server/base/context.ts'
import { notify } from '#kit/server/mail/notifications.ts'

/**
 * Sends a notice in the application and, as each reader chose, by mail. The area declares it in `notices`, and its text in
 * `locales/*\/AREA.json`. It goes out when the unit of work commits.
 */
export const tellOfResult = (ctx: Ctx, userIds: readonly number[], course: string): Promise<void> =>
  ctx.write((tx) => notify(tx, userIds, { key: 'grading.notice_published', data: { course }, link: '/myCourses' }))
