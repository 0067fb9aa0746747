import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

/** A table never gets lower than this; then the page scrolls. */
const LEAST = 320

/**
 * The height at which a table fills the window: what stands above it and what follows it (pages, the footer) is measured,
 * so that the page itself has nothing to scroll. undefined: it grows with its rows.
 */
export function useFillingHeight(box: RefObject<HTMLElement | null>, fills: boolean): number | undefined {
  const [height, setHeight] = useState<number>()
  useLayoutEffect(() => {
    const element = box.current
    const main = element?.closest('main')
    if (!fills || !element || !main) return
    const measure = () => {
      const content = main.firstElementChild ?? main
      const table = element.getBoundingClientRect()
      const follows = content.getBoundingClientRect().bottom - table.bottom
      // The frame of the page is as high as the window at least: beneath its main part it always takes the same.
      const frame = (main.parentElement?.parentElement ?? document.body).getBoundingClientRect()
      const beneath = frame.bottom - main.getBoundingClientRect().bottom
      const top = table.top + window.scrollY
      setHeight(Math.max(LEAST, Math.floor(window.innerHeight - top - follows - beneath)))
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(main.firstElementChild ?? main)
    window.addEventListener('resize', measure)
    return () => {
      watch.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [box, fills])
  return fills ? height : undefined
}
