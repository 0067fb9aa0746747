import { demoPart, insertNew } from '#demo/part.ts'

/** Ramadan 1447 began in Egypt a day after the reckoning. */
export default demoPart(['hijri_months'], [], async (tx) => {
  await insertNew(tx, 'hijri_months', [{ year: 1447, month: 9, first_day: '2026-02-19' }])
})
