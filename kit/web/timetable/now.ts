import { useEffect, useState } from 'react'
import { dayOf, timeOf, weekPlace } from '#kit/contract/day.ts'

const readNow = () => {
  const [hours = 0, minutes = 0] = timeOf().split(':').map(Number)
  return { day: weekPlace(dayOf()), minute: hours * 60 + minutes }
}
/** The present minute and day of the week (0 is Saturday) at the university, twice a minute. */
export function useNow(): { day: number; minute: number } {
  const [now, setNow] = useState(readNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(readNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
