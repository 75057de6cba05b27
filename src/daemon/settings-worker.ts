import { parentPort, workerData } from "node:worker_threads";
import { loadSettings, type SettingsSource } from "./settings.ts";

/** A thread of its own: reads what `workerData` names, answers once and ends. */
parentPort?.postMessage(loadSettings(workerData as SettingsSource));
