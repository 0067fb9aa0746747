import { QueryClient } from '@tanstack/react-query'
import type { ApiError } from './error.ts'

/** What was answered, as long as the page is open. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      // Without a line what was kept is shown at once, or it is said that there is nothing: nothing waits unseen.
      networkMode: 'always',
      // What the server refused it refuses again; what did not arrive may arrive.
      retry: (failures, error) => {
        const { status } = error as Partial<ApiError>
        return (
          ((status === 0 && navigator.onLine) || status === 502 || status === 503 || status === 504) && failures < 2
        )
      },
    },
    mutations: { networkMode: 'always' },
  },
})
