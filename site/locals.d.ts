declare namespace App {
  /** What the sidecar gives a live page to show; absent when the page is prebuilt. */
  interface Locals {
    ask?: import('#api/pages/live-data.ts').AskData;
  }
}
