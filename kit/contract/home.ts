import { outlet } from './outlet.ts'

/** Below what waits and the day's plan on the home page, for whoever has put something there. */
export const besidesOfHome = outlet('home.besides')
