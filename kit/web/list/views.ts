import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { viewCalls } from '#kit/contract/views.contract.ts'
import { keyOf, send, useCall } from '../api/index.ts'
import { notify } from '../feedback/index.ts'
import { useT } from '../i18n/index.ts'
import { readViews, writeViews } from './prefs.ts'
import type { SavedView, TablePrefs } from './prefs.ts'

/** The reader's own views of a list: kept by the server, so that they are there on every device. */
export function useViews(user: number, list: string) {
  const t = useT('kit-screens')
  const client = useQueryClient()
  const input = { params: { list } }
  const { data } = useCall(viewCalls.listViews, input, {
    enabled: user > 0,
    staleTime: 60_000,
    // What this browser knew last: tabs do not come in later and push the list down.
    placeholderData: () => ({ data: readViews(user, list) }) as never,
  })
  const views = (data?.data ?? []) as readonly SavedView[]
  useEffect(() => {
    if (data) writeViews(user, list, data.data)
  }, [data, user, list])
  const put = (next: readonly SavedView[]) => client.setQueryData(keyOf(viewCalls.listViews, input), { data: next })
  const save = async (view: { name: string; query: string; prefs: TablePrefs | null }) => {
    const { data: saved } = await send(viewCalls.saveView, { ...input, body: view as never })
    const kept = saved as SavedView
    const rest = views.filter((v) => v.id !== kept.id && v.name !== kept.name)
    put([...rest, kept].toSorted((a, b) => a.id - b.id))
  }
  const remove = async (view: SavedView) => {
    await send(viewCalls.removeView, { params: { list, id: view.id } })
    put(views.filter((v) => v.id !== view.id))
    notify.undo(t('view_removed', { name: view.name }), async () => {
      await send(viewCalls.saveView, {
        ...input,
        body: { name: view.name, query: view.query, prefs: view.prefs } as never,
      })
      put([...views])
    })
  }
  return { views, save, remove }
}
