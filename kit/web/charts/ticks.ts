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

/** Round figures that `min` and `max` lie between, so many at most; `whole`: none between whole numbers. */
export function roundSteps(min: number, max: number, whole: boolean, most: number = MOST): number[] {
  const rough = (max - min) / Math.max(1, most - 1)
  if (!(rough > 0)) return [min, min + 1]
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  for (const unit of [magnitude, magnitude * 10]) {
    for (const step of STEPS.map((s) => s * unit)) {
      if (step < rough - 1e-9 || (whole && !Number.isInteger(step))) continue
      const from = Math.floor(min / step + 1e-9)
      const to = Math.ceil(max / step - 1e-9)
      if (to - from < most)
        return Array.from({ length: to - from + 1 }, (_, i) => Number(((from + i) * step).toFixed(6)))
    }
  }
  return whole ? [Math.floor(min), Math.ceil(max)] : [min, max]
}
