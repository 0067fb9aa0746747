import type { Resource } from './resource.ts'

/** A resource as its sheets have it, with the fields that exist only in sheets. */
export function inSheets<R extends Resource>(r: R): R {
  const { sheetFields, ...rest } = r
  if (!sheetFields) return r
  const fields = Object.entries(r.fields).flatMap(([name, field]) => [
    [name, field] as const,
    ...(name === sheetFields.after ? Object.entries(sheetFields.fields) : []),
  ])
  return { ...rest, fields: Object.fromEntries(fields) } as unknown as R
}
