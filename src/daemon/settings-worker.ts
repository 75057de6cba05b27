import { parentPort, workerData } from "node:worker_threads";
import { loadSettings, type SettingsSource } from "./settings.ts";

/** A worker thread: loads the settings of `workerData`, answers once and ends. */
parentPort?.postMessage(loadSettings(workerData as SettingsSource));
