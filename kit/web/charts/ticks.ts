/** Steps that people count in. */
const STEPS = [1, 2, 2.5, 5, 10]
const MOST = 6

/** The figures a person would write at an axis from `min` to `max`: round, evenly apart, six at most, both ends included. */
export function ticksOf([min, max]: readonly [number, number]): number[] {
  const rough = (max - min) / (MOST - 1)
  if (!(rough > 0)) return [min]
  const unit = 10 ** Math.floor(Math.log10(rough))
  const step = STEPS.map((s) => s * unit).find(
    (s) => s >= rough - 1e-9 && Number.isInteger(Number(((max - min) / s).toFixed(6))),
  )
  if (step === undefined) return [min, max]
  return Array.from({ length: Math.round((max - min) / step) + 1 }, (_, i) => Number((min + i * step).toFixed(6)))
}
