import { useLocation, useMatches } from 'react-router'
import { screenAt } from '../router/screens.ts'
import { pageTitleStore } from './page.tsx'

/** The declared screen at the present address, its parameters and its item's name. */
export function useHere() {
  const match = useMatches().at(-1)
  const { pathname } = useLocation()
  const loaded = pageTitleStore.use()
  const screen = match ? screenAt(match.id) : undefined
  return { screen, params: match?.params ?? {}, item: loaded?.path === pathname ? loaded.item : null }
}
