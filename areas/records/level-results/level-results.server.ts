import { sql } from 'kysely'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { handle } from '#kit/server/base/context.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { levelResultBasis } from './basis.server.ts'
import { graceRule } from './grace-rule.contract.ts'
import { levelResultsArea } from './level-results.contract.ts'
import { levelCalls } from './levels.contract.ts'
import { listLevels, listStudents, showResult } from './list.server.ts'
import { announceLevel, applyLevel, undoLevel } from './results.server.ts'
import { previewLevel } from './preview.server.ts'
import { openSecondSession } from './second-session.server.ts'
import { resultSheet } from './sheet.server.ts'
import { levelResultsTold } from './level-results.told.contract.ts'

const graceRules = serveResource(graceRule, {
  scope: {
    faculty: () => sql`(select b.faculty_id from bylaws b where b.id = t.bylaw_id)`,
    bylaw: () => sql`t.bylaw_id`,
  },
})

export const levelResultsServer = defineAreaServer({
  area: levelResultsArea,
  told: levelResultsTold,
  basis: [levelResultBasis],
  handlers: [
    graceRules,
    [
      handle(levelCalls.list, (ctx, { body }) => listLevels(ctx, body)),
      handle(levelCalls.preview, async (ctx, { body }) => ({ data: await previewLevel(ctx, body) })),
      handle(levelCalls.apply, async (ctx, { body }) => ({ data: await applyLevel(ctx, body.id, body.version) })),
      handle(levelCalls.announce, async (ctx, { body }) => ({ data: await announceLevel(ctx, body.id) })),
      handle(levelCalls.undo, async (ctx, { body }) => ({
        data: await undoLevel(ctx, body.id, body.reason, body.student_ids),
      })),
      handle(levelCalls.secondSession, async (ctx, { body }) => ({ data: await openSecondSession(ctx, body) })),
      handle(levelCalls.show, async (ctx, { params }) => ({ data: await showResult(ctx, params.id) })),
      handle(levelCalls.students, (ctx, { params, body }) => listStudents(ctx, params.id, body)),
      handle(levelCalls.sheet, (ctx, { params, body }) => resultSheet(ctx, params.id, params.lang, body)),
    ],
  ],
})
