/** The lines of the board, and what lies in them. */
import type { BedBoard } from './board.contract.ts'

export type Line =
  | {
      readonly kind: 'hostel'
      readonly key: string
      readonly id: number
      readonly name: string
      readonly name_local: string
    }
  | {
      readonly kind: 'bed'
      readonly key: string
      readonly id: number
      readonly label: string
      readonly floor: number
      readonly gender: string
      readonly room_kind: { readonly name: string; readonly name_local: string }
    }

/** A heading for each hostel, and its beds below it, in the order of rooms. */
export function rowsOf({ hostels, rooms }: Pick<BedBoard, 'hostels' | 'rooms'>): Line[] {
  const lines: Line[] = []
  let last: number | null = null
  for (const room of rooms) {
    if (room.hostel_id !== last) {
      const hostel = hostels.find((one) => one.id === room.hostel_id)
      lines.push({
        kind: 'hostel',
        key: `h${room.hostel_id}`,
        id: room.hostel_id,
        name: hostel?.name ?? '',
        name_local: hostel?.name_local ?? '',
      })
      last = room.hostel_id
    }
    for (const bed of room.beds)
      lines.push({
        kind: 'bed',
        key: `b${bed.id}`,
        id: bed.id,
        label: `${room.code} · ${bed.code}`,
        floor: room.floor,
        gender: room.gender,
        room_kind: { name: room.kind, name_local: room.kind_local },
      })
  }
  return lines
}

/** What lies in each bed. */
export function staysByBed<One extends { readonly bed_id: number }>(
  list: readonly One[],
): ReadonlyMap<number, readonly One[]> {
  return Map.groupBy(list, (one) => one.bed_id)
}
