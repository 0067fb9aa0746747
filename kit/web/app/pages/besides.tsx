import { besidesOfHome } from '#kit/contract/home.ts'
import { filled } from '../../router/filled.tsx'

/** What the reader has put on the home page; apart, so that nobody else fetches how it is found. */
export const Besides = filled(besidesOfHome)
