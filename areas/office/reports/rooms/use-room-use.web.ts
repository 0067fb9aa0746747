import { useSearchParams } from '#kit/web/router/index.ts'
import {
  ROOM_GROUPS,
  ROOM_TYPES,
  USUAL_SHARE,
  USUAL_TIMES,
  type RoomGroup,
  type RoomUseAsked,
} from './rooms.contract.ts'

/** What stands in the address of the use of rooms: all of what is asked. */
export function useRoomUse() {
  const [address, setAddress] = useSearchParams()
  const number = (name: string, least: number, most: number): number | undefined => {
    const text = address.get(name)
    return text && /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined
  }
  const asked: RoomUseAsked = {
    term_id: number('term', 1, 2 ** 31 - 1),
    building_id: number('building', 1, 2 ** 31 - 1),
    faculty_id: number('faculty', 1, 2 ** 31 - 1),
    location_type: ROOM_TYPES.find((one) => one.value === address.get('type'))?.value,
    day: number('day', 0, 6),
    hour: number('hour', 0, 23),
    times: number('times', 2, 50),
  }
  const at = (changes: Readonly<Record<string, string | number | null>>): string => {
    const next = new URLSearchParams(address)
    for (const [name, value] of Object.entries(changes))
      if (value === null) next.delete(name)
      else next.set(name, String(value))
    return `?${next}`
  }
  return {
    asked: Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as RoomUseAsked,
    by: ROOM_GROUPS.find((one) => one === address.get('by')) ?? ('building' satisfies RoomGroup),
    seats: address.get('show') === 'seats',
    share: number('share', 1, 100) ?? USUAL_SHARE,
    times: asked.times ?? USUAL_TIMES,
    at,
    set: (changes: Readonly<Record<string, string | number | null>>) =>
      setAddress(new URLSearchParams(at(changes)), { replace: true, preventScrollReset: true }),
  }
}
export type RoomUseAddress = ReturnType<typeof useRoomUse>
