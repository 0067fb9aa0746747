/* oxlint-disable react/incompatible-library -- the virtualizer tells by drawing again */
import { useImperativeHandle, useLayoutEffect, useState } from 'react'
import type { ReactNode, Ref, RefObject } from 'react'
import { useVirtualizer } from '@tanstack/react-virtual'

export interface VirtualHandle {
  readonly scrollToIndex: (index: number) => void
}
export interface VirtualRowsProps {
  readonly ids: readonly number[]
  /** What scrolls. */
  readonly box: RefObject<HTMLElement | null>
  readonly rowHeight: number
  readonly handle: Ref<VirtualHandle>
  readonly draw: (index: number) => ReactNode
  /** An empty row in place of those not drawn. */
  readonly gap: (key: string, height: number) => ReactNode
}

/** Rows of a long table, drawn only where they are seen. */
export default function VirtualRows({ ids, box, rowHeight, handle, draw, gap }: VirtualRowsProps) {
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (i) => ids[i] ?? i,
  })
  useImperativeHandle(handle, () => ({ scrollToIndex: (index) => virtualizer.scrollToIndex(index) }), [virtualizer])
  // What scrolls stands around these rows, so that it is there only after they were drawn once.
  const [, setThere] = useState(false)
  useLayoutEffect(() => setThere(true), [])
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  return (
    <>
      {first && gap('before', first.start)}
      {items.map((item) => draw(item.index))}
      {last && gap('after', virtualizer.getTotalSize() - last.end)}
    </>
  )
}
