import { readSheet, writeSheet } from '#kit/server/sheets/index.ts'

/** Reads the codes in the first column of an uploaded XLSX workbook, below its heads. */
export async function codesIn(bytes: Uint8Array): Promise<string[]> {
  const { sheets } = await readSheet(bytes, { maxRows: 5_000 })
  return (sheets[0]?.rows ?? []).slice(1).map(([code]) => code?.text ?? '')
}

/** A workbook with one sheet, as people open it in Excel. */
export const roomsSheet = (rows: { code: string; seats: number }[]): Promise<Uint8Array> => {
  const columns = [
    { header: 'Code', key: 'code', type: 'text' as const },
    { header: 'Seats', key: 'seats', type: 'number' as const },
  ]
  return writeSheet({ sheets: [{ name: 'Rooms', direction: 'ltr', columns, rows }] })
}
