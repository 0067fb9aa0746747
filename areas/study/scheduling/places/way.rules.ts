/** How far buildings are from each other: the same in the browser and on the server. */

/** Minutes from one building to another, either way. */
export type Way = readonly [building: number, other: number, minutes: number]

/** Minutes between two buildings; none within one, or where nobody has entered any. */
export const minutesBetween = (ways: readonly Way[], building: number, other: number): number =>
  building === other
    ? 0
    : (ways.find(([a, b]) => (a === building && b === other) || (a === other && b === building))?.[2] ?? 0)
