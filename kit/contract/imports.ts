import { z } from 'zod'
import { problem } from './schema.ts'

const rowNumber = z.int().min(1).max(1_000_000)
const fieldName = z.string().max(100)
/** What is wrong with a cell or a row of a sheet. `column`: its header as the sheet has it; null: the whole row. */
const sheetError = z.object({ row: z.int(), column: z.string().nullable(), ...problem.omit({ field: true }).shape })
const person = z.object({ name: z.string(), name_local: z.string() })

/** What saving a row of a sheet does, or why it does not. */
export const LINE_STATES = ['created', 'changed', 'same', 'wrong', 'out'] as const

/** A row of a sheet beside the record it changes. Texts are those of papers in the reader's language. */
export const importLine = z.object({
  /** Its line in the sheet, the header being 1. */
  row: z.int(),
  state: z.enum(LINE_STATES),
  /** The record it changes; null: it is new. */
  id: z.int().nullable(),
  /** What the sheet says, by field. */
  cells: z.record(z.string(), z.string()),
  changes: z.array(z.object({ field: z.string(), old: z.string().nullable(), new: z.string().nullable() })),
  /** Fields that somebody changed after the sheet was exported. They stay, unless the sheet is taken. */
  meanwhile: z.array(
    z.object({
      field: z.string(),
      sheet: z.string().nullable(),
      now: z.string().nullable(),
      by: person.nullable(),
      at: z.string().nullable(),
      taken: z.boolean(),
    }),
  ),
  errors: z.array(sheetError.omit({ row: true }).extend({ field: z.string().nullable() })),
  /** What saving it means beyond what it says: nothing is wrong with it. */
  notes: z.array(sheetError.omit({ row: true, column: true })),
})

/** A preview of an import: nothing is stored until it is saved, all rows or none. */
export const importPreview = z.object({
  import_id: z.string(),
  /** Rows of the sheet, and those of them that make a record or name one that is there. */
  rows: z.int(),
  creates: z.int(),
  updates: z.int(),
  /** Rows by what saving them does; `meanwhile`: with fields that somebody changed after the export. */
  counts: z.object({
    created: z.int(),
    changed: z.int(),
    same: z.int(),
    wrong: z.int(),
    out: z.int(),
    meanwhile: z.int(),
  }),
  /** `fixed`: shown beside the sheet, not part of it. */
  columns: z.array(z.object({ field: z.string(), header: z.string(), fixed: z.boolean().optional() })),
  /** Headers that are known and cannot be imported, e.g. of what is computed. */
  ignored: z.array(z.string()),
  /** What saving needs to be told, because it changes so many records: the number of them. */
  confirm: z.int().nullable(),
  /** The first errors, those of the header first. */
  errors: z.array(sheetError),
  /** Rows asked for, and how many there are of that kind. */
  lines: z.array(importLine),
  count: z.int(),
})

/** Which rows of a preview to show: by what they do, by default those that do something or are wrong. */
export const importLinesQuery = z.strictObject({
  state: z.enum([...LINE_STATES, 'meanwhile', 'all', 'notable']).default('notable'),
  page: z.int().min(1).max(10_000).default(1),
  perPage: z.int().min(1).max(200).default(50),
})
export type ImportLinesQuery = z.output<typeof importLinesQuery>

/** Corrections of rows of a preview; each row named is checked again. */
export const importMend = z.strictObject({
  cells: z
    .array(z.strictObject({ row: rowNumber, field: fieldName, text: z.string().max(5000) }))
    .max(500)
    .default([]),
  /** Rows to leave out, or to take in again. */
  out: z
    .array(z.strictObject({ row: rowNumber, out: z.boolean() }))
    .max(5000)
    .default([]),
  /** Fields changed meanwhile in which the sheet wins after all, or not. */
  take: z
    .array(z.strictObject({ row: rowNumber, field: fieldName, take: z.boolean() }))
    .max(5000)
    .default([]),
  /** Rows to check again as they are. */
  check: z.array(rowNumber).max(5000).default([]),
})
export type ImportMend = z.output<typeof importMend>
