/** What is asked about the courses of a transfer, answered alike for those within the university and from elsewhere. */
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { ListSource } from '#kit/server/resource/list.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { decisionPaper } from './decision.server.ts'
import type { Equivalence, EquivalenceCalls } from './equivalence.contract.ts'
import { earlierOf, programCoursesOf } from './equivalence.server.ts'
import { equivalencesOf, proposedFor } from './proposal.server.ts'
import { outcomeOf } from './outcome.server.ts'
import { equivalenceSheet, sheetRows } from './sheets.server.ts'
import type { TransferKind, Transfer } from './target.server.ts'

/** What one kind of transfer says of itself. */
interface Transfers {
  readonly kind: TransferKind
  /** A transfer that the reader sees. @throws {Refusal} 404 */
  readonly transferOf: (ctx: Ctx, id: number) => Promise<Transfer>
  readonly source: (ctx: Ctx, query: Pick<ListQuery, 'filters'>) => ListSource
  /** By what a course is named in an address. */
  readonly named: (line: Equivalence) => number | null
  /** What stands on the paper of the decision. */
  readonly paper: (ctx: Ctx, id: number) => Promise<Parameters<typeof decisionPaper>[1]>
}

/** Handlers of the calls about courses. */
export function equivalenceHandlers(
  calls: EquivalenceCalls<string, string>,
  { kind, transferOf, source, named, paper }: Transfers,
): Handled[] {
  return [
    handle(calls.proposed, async (ctx, { params: { id } }) => ({
      data: await proposedFor(ctx.db, await transferOf(ctx, id)),
    })),
    handle(calls.programCourses, async (ctx, { params: { id }, body: { search } }) => ({
      data: await programCoursesOf(ctx.db, await transferOf(ctx, id), search),
    })),
    handle(calls.lines, async (ctx, { params: { id } }) => ({
      data: await equivalencesOf(ctx.db, await transferOf(ctx, id)),
    })),
    handle(calls.line, async (ctx, { params: { id, related_course_id } }) => {
      const lines = await equivalencesOf(ctx.db, await transferOf(ctx, id))
      const line = lines.find((one) => named(one) === related_course_id)
      if (!line) throw refuse(404, 'not_found')
      return { data: { ...line, earlier: await earlierOf(ctx.db, line.id) } }
    }),
    handle(calls.outcome, async (ctx, { params: { id }, body }) => ({
      data: await outcomeOf(ctx.db, await transferOf(ctx, id), body),
    })),
    handle(calls.exportLines, async (ctx, { body }) => {
      const rows = await sheetRows<{ id: number }>(ctx, source, body)
      return equivalenceSheet(
        ctx,
        kind,
        rows.map((row) => row.id),
        body,
      )
    }),
    handle(calls.decision, async (ctx, { params: { id, lang } }) => decisionPaper(ctx, await paper(ctx, id), lang)),
  ]
}
