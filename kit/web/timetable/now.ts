import { useEffect, useState } from 'react'

const readNow = () => {
  const now = new Date()
  return { day: (now.getDay() + 1) % 7, minute: now.getHours() * 60 + now.getMinutes() }
}
/** The present minute and day of the week (0 is Saturday), twice a minute. */
export function useNow(): { day: number; minute: number } {
  const [now, setNow] = useState(readNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(readNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
