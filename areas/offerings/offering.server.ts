export { offeringReach, taughtBy } from './reach.server.ts'
