/**
 * Sheets that people hand in about one record: looked at, mended in place, saved by their id or refused cell by cell.
 */
import type { Tx } from '#db/connect.ts'
import type { Call } from '#kit/contract/call.ts'
import type { HandInCalls } from '#kit/contract/handing-in.ts'
import type { ImportLinesQuery, ImportMend } from '#kit/contract/index.ts'
import { handle } from '../base/context.ts'
import type { Ctx, Handled, Upload } from '../base/context.ts'
import { Refusal, refuse } from '../base/errors.ts'
import { importLines, mendImport, previewImport, saveImport } from '../resource/imports/imports.ts'
import type { ImportTarget, Line, SheetFacts } from '../resource/imports/imports.ts'
import { readHandedIn } from './read.ts'
import type { SheetPlan } from './read.ts'

type Preview = Awaited<ReturnType<typeof previewImport>>

/** A sheet under judgement: the record, what was held of it, and the head of the sheet. */
export interface Held<Of, Open> {
  readonly of: Of
  readonly open: Open
  readonly facts: SheetFacts
}

/**
 * What is particular to a kind of sheet. `Of`: the record it is about. `Open`: what is held of it while rows are
 * judged and written. `Saved`: what saving answers.
 */
export interface HandedIn<Of, Open, Saved, P extends Preview = Preview> {
  /** Under which name its previews are kept, with the id of the record. */
  readonly name: string
  /** The operation that it is, registered by `registerOperation`. */
  readonly kind: string
  /** The field by which a row is known: its column must be there, and names nothing twice. */
  readonly knownBy: string
  /** The record, within reach of whoever calls. Asked at each step. @throws {Refusal} 404 */
  of(ctx: Ctx, id: number): Promise<Of>
  /**
   * Holds the record. Asked before a sheet is read, judged or written. @throws {Refusal} where nothing may be brought
   * now
   */
  open(ctx: Ctx, tx: Tx, of: Of): Promise<Open>
  /** Facts of the operation beside the name of the file. */
  facts(of: Of): Readonly<Record<string, unknown>>
  /** What the operation is about, in the words of whoever sees it later. */
  about?(ctx: Ctx, of: Of): Promise<string | undefined>
  plan(ctx: Ctx, of: Of, open: Open): SheetPlan | Promise<SheetPlan>
  /** Says of each row what it would do (`judgeRows`). */
  judge(ctx: Ctx, tx: Tx, lines: readonly Line[], held: Held<Of, Open>): Promise<void> | void
  /** Writes rows that were judged. @throws {Refusal} with `rows.N…` as fields */
  write(ctx: Ctx, tx: Tx, lines: readonly Line[], held: Held<Of, Open>): Promise<Saved>
  /** What a preview says, where it is more than usual. */
  shown?(ctx: Ctx, preview: Preview): Promise<P>
}

/** The steps of a kind of sheet, for calls of any shape. */
export interface HandInSteps<Saved, P extends Preview = Preview> {
  /** Reads a sheet and says what saving it would do. */
  preview(ctx: Ctx, id: number, file: Upload | null): Promise<P>
  lines(ctx: Ctx, id: number, import_id: string, query: ImportLinesQuery): Promise<P>
  mend(ctx: Ctx, id: number, import_id: string, mend: ImportMend): Promise<P>
  /** Saves what was looked at: all of it or nothing, once, and only for whoever brought it. */
  save(ctx: Ctx, id: number, import_id: string): Promise<{ saved: Saved; operation_id: number | null }>
}

/** Works with sheets of a kind. */
export function handedIn<Of, Open, Saved, P extends Preview = Preview>(
  sheet: HandedIn<Of, Open, Saved, P>,
): HandInSteps<Saved, P> {
  const target = (id: number, of: Of, about?: string): ImportTarget<Saved> => ({
    name: `${sheet.name}/${id}`,
    kind: sheet.kind,
    knownBy: sheet.knownBy,
    facts: { ...sheet.facts(of), ...(about !== undefined && { about }) },
    async check(ctx, tx, facts, lines) {
      await sheet.judge(ctx, tx, lines, { of, open: await sheet.open(ctx, tx, of), facts })
    },
    headErrors: () => [],
    // Whole classes and lists are the rule, and each row is shown beside what stands there: nobody types how many.
    confirm: async () => null,
    write: async (ctx, tx, lines, facts) =>
      sheet.write(ctx, tx, lines, { of, open: await sheet.open(ctx, tx, of), facts }),
  })
  const shown = async (ctx: Ctx, preview: Preview) => (sheet.shown ? sheet.shown(ctx, preview) : (preview as P))
  return {
    async preview(ctx, id, file) {
      if (!file) throw refuse(422, 'file_missing', undefined, 'file')
      const of = await sheet.of(ctx, id)
      const open = await ctx.write((tx) => sheet.open(ctx, tx, of))
      const read = await readHandedIn(file, await sheet.plan(ctx, of, open), sheet.knownBy)
      return shown(ctx, await previewImport(ctx, target(id, of), read))
    },
    lines: async (ctx, id, import_id, query) =>
      shown(ctx, await importLines(ctx, target(id, await sheet.of(ctx, id)), import_id, query)),
    mend: async (ctx, id, import_id, mend) =>
      shown(ctx, await mendImport(ctx, target(id, await sheet.of(ctx, id)), import_id, mend)),
    async save(ctx, id, import_id) {
      const of = await sheet.of(ctx, id)
      const about = await sheet.about?.(ctx, of)
      const { written, operation_id } = await saveImport(ctx, target(id, of, about), import_id)
      return { saved: written, operation_id }
    },
  }
}

/** Everything that is wrong with a sheet as one refusal, each cell by its row and heading. */
const refusedCells = ({ errors }: Preview): Refusal =>
  new Refusal(
    422,
    errors.map(({ row, column, en, ar }) => ({
      field: `rows.${row}${column ? `.${column}` : ''}`,
      code: 'import_cell',
      data: { text: en, text_local: ar },
    })),
  )

/** Answers the calls of `handInCalls`. */
export function handInHandlers<P extends Preview>(
  declared: Readonly<Record<keyof HandInCalls, Call>>,
  steps: HandInSteps<number, P>,
): Handled[] {
  // A preview of theirs may say more than the usual one.
  const calls = declared as unknown as HandInCalls
  const save = async (ctx: Ctx, id: number, import_id: string) => ({
    data: null,
    ...(await steps.save(ctx, id, import_id)),
  })
  return [
    handle(calls.import, async (ctx, { params: { a, b }, file }) => {
      if (b !== 'preview' && b !== 'save') return save(ctx, a, b)
      const data = await steps.preview(ctx, a, file)
      if (b === 'preview') return { data, saved: 0, operation_id: null }
      if (data.errors.length) throw refusedCells(data)
      return save(ctx, a, data.import_id)
    }),
    handle(calls.importLines, async (ctx, { params, body }) => ({
      data: await steps.lines(ctx, params.a, params.b, body),
    })),
    handle(calls.importMend, async (ctx, { params, body }) => ({
      data: await steps.mend(ctx, params.a, params.b, body),
    })),
  ]
}
