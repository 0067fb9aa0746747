import { liveStore } from '../auth/me.ts'

/** Where `/` leads: to what waits for whoever is signed in. */
export const homePath = (): string => (liveStore.get() ? '/home' : '/login')
